import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { userGroupId } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { asOf } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { isMember } from '#shared/store/user-groups/group-members.ts';
import { getUser } from '#shared/store/users/users.ts';

/** Whether a user is in a group. */
export const getUserGroupMembership = endpoint({
  route: 'GET /user_groups/{user_group_id}/members/{user_id}',
  summary: 'Check whether a user is in a user group',
  allow: 'member',
  scope: 'read',
  params: {
    user_group_id: userGroupId,
    user_id: json(z.int(), 'The user'),
    direct_member_only: withDefault(json(z.boolean(), 'Not by way of subgroups'), false),
  },
  result: z.object({ is_user_group_member: z.boolean() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table, clock } }) {
    const depth = { isDirect: params.direct_member_only };
    const nowSeconds = toSeconds(clock.nowMs());
    const user = asOf(await getUser(table, params.user_id), nowSeconds);
    return { is_user_group_member: await isMember(table, user, params.user_group_id, depth) };
  },
});

export const handler = lambda(getUserGroupMembership, awsServices);
