import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { muteChange } from '#shared/domain/users/muted-users.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getMutedUsers } from '#shared/store/users/muted-users.ts';
import { getSeenUser } from '#shared/store/visibility/visible-users.ts';

/** Mutes a user for the caller. */
export const muteUser = endpoint({
  route: 'POST /users/me/muted_users/{muted_user_id}',
  summary: 'Mute a user',
  allow: 'user',
  scope: 'organize',
  creates: true,
  params: { muted_user_id: json(z.int(), 'The user') },
  result: nothing,
  errors: [BadRequest],
  emits: ['muted_users'],
  uses: { table: 'write' },
  async handle({ muted_user_id: userId }, { services, caller, retry }) {
    const { table, clock } = services;
    if (userId === caller.userId) throw new BadRequest('Cannot mute self');
    const [user, list] = await Promise.all([
      getSeenUser(table, caller, userId),
      getMutedUsers(table, caller.userId),
    ]);
    return commitWithAnswer(services, retry, muteChange(list, user.userId, toSeconds(clock.nowMs())), {});
  },
});

export const handler = lambda(muteUser, awsServices);
