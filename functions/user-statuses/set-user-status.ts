import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { readStatusWishes, statusParameters } from '#shared/api/contracts/user-statuses.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requirePresent, requireStatusOwner, statusChange } from '#shared/domain/user-statuses/status.ts';
import { commit } from '#shared/log/commit.ts';
import { getUserStatus } from '#shared/store/users/user-statuses.ts';
import { getUser } from '#shared/store/users/users.ts';

/** Sets another user's status, for administrators. */
export const setUserStatus = endpoint({
  route: 'POST /users/{user_id}/status',
  summary: "Update a user's status",
  allow: 'administrator',
  params: { user_id: json(z.int(), 'The user'), ...statusParameters },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['user_status'],
  uses: { table: 'write' },
  async handle({ user_id: userId, ...input }, { services }) {
    const { table } = services;
    const wishes = await readStatusWishes(table, input, false);
    requireStatusOwner(await getUser(table, userId));
    const status = await getUserStatus(table, userId);
    requirePresent(status);
    const change = statusChange(status, wishes);
    if (change.writes.length > 0) await commit(services, change);
    return {};
  },
});

export const handler = lambda(setUserStatus, awsServices);
