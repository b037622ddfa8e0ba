import { BadRequest } from '#shared/domain/errors.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';

/** Bounded by one transaction, one event and one request. */
const MAX_USERS = 10_000;
const MAX_CHUNKS = 40;
const MAX_SUBGROUPS = 500;

/** @throws BadRequest for more users or groups than one call can add or remove */
export function requireFeasible(users: { add: number[]; delete: number[] }, groupIds: number[]): void {
  for (const userIds of [users.add, users.delete]) {
    if (userIds.length > MAX_USERS)
      throw new BadRequest(`Too many users in one request (maximum ${MAX_USERS}).`);
    if (new Set(userIds.map(memberChunkOf)).size > MAX_CHUNKS)
      throw new BadRequest('These users are too many for one request; name them in several.');
  }
  if (groupIds.length > MAX_SUBGROUPS)
    throw new BadRequest(`Too many subgroups in one request (maximum ${MAX_SUBGROUPS}).`);
}

/** @throws BadRequest for too many subgroups */
export function requireFewSubgroups(groupIds: number[]): void {
  if (groupIds.length > MAX_SUBGROUPS)
    throw new BadRequest(`A user group cannot have more than ${MAX_SUBGROUPS} subgroups.`);
}
