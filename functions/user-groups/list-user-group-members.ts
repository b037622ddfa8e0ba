import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { userGroupId } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { listMemberIds } from '#shared/store/user-groups/group-members.ts';

/** The ids of the active users in a group, ascending. */
export const listUserGroupMembers = endpoint({
  route: 'GET /user_groups/{user_group_id}/members',
  summary: 'List the members of a user group',
  allow: 'member',
  scope: 'read',
  params: {
    user_group_id: userGroupId,
    direct_member_only: withDefault(json(z.boolean(), 'Excludes members of subgroups'), false),
  },
  result: z.object({ members: z.array(z.int()) }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table, clock } }) {
    const depth = { isDirect: params.direct_member_only };
    const nowSeconds = toSeconds(clock.nowMs());
    return { members: await listMemberIds(table, params.user_group_id, depth, nowSeconds) };
  },
});

export const handler = lambda(listUserGroupMembers, awsServices);
