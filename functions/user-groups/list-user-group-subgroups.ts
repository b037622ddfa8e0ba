import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { userGroupId } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { listSubgroupIds } from '#shared/store/user-groups/group-members.ts';

/** The ids of the groups below a group, ascending. */
export const listUserGroupSubgroups = endpoint({
  route: 'GET /user_groups/{user_group_id}/subgroups',
  summary: 'List the subgroups of a user group',
  allow: 'member',
  scope: 'read',
  params: {
    user_group_id: userGroupId,
    direct_subgroup_only: withDefault(json(z.boolean(), 'Only direct subgroups'), false),
  },
  result: z.object({ subgroups: z.array(z.int()) }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table } }) {
    const depth = { isDirect: params.direct_subgroup_only };
    return { subgroups: await listSubgroupIds(table, params.user_group_id, depth) };
  },
});

export const handler = lambda(listUserGroupSubgroups, awsServices);
