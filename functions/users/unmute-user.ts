import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isMuted, unmuteChange } from '#shared/domain/users/muted-users.ts';
import { commit } from '#shared/log/commit.ts';
import { getMutedUsers } from '#shared/store/users/muted-users.ts';
import { getSeenUser } from '#shared/store/visibility/visible-users.ts';

/** Unmutes a user for the caller. */
export const unmuteUser = endpoint({
  route: 'DELETE /users/me/muted_users/{muted_user_id}',
  summary: 'Unmute a user',
  allow: 'user',
  scope: 'organize',
  params: { muted_user_id: json(z.int(), 'The user') },
  result: nothing,
  errors: [BadRequest],
  emits: ['muted_users'],
  uses: { table: 'write' },
  async handle({ muted_user_id: userId }, { services, caller }) {
    const { table } = services;
    const list = await getMutedUsers(table, caller.userId);
    // A muted user can be unmuted even when hidden from the caller.
    if (!isMuted(list, userId)) await getSeenUser(table, caller, userId);
    await commit(services, unmuteChange(list, userId));
    return {};
  },
});

export const handler = lambda(unmuteUser, awsServices);
