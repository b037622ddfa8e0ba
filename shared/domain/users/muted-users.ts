import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { userKeys } from '#shared/table/keys/users.ts';

/** The form that clients use. */
export interface MutedUser {
  id: number;
  timestamp: number;
}

/** All users muted by a user, in order of muting. */
export interface MutedUsers {
  userId: number;
  revision: number;
  mutedUsers: MutedUser[];
}

/** The whole list is one item and part of every event. */
export const MAX_MUTED_USERS = 1_000;

export const isMuted = ({ mutedUsers }: MutedUsers, userId: number): boolean =>
  mutedUsers.some(({ id }) => id === userId);

/** @throws BadRequest for a user who is muted already, and for too many */
export function muteChange(list: MutedUsers, userId: number, nowSeconds: number): Change {
  if (isMuted(list, userId)) throw new BadRequest('User already muted');
  if (list.mutedUsers.length >= MAX_MUTED_USERS)
    throw new BadRequest(`You cannot mute more than ${MAX_MUTED_USERS} users`);
  return changeTo(list, [...list.mutedUsers, { id: userId, timestamp: nowSeconds }]);
}

/** @throws BadRequest for a user who is not muted */
export function unmuteChange(list: MutedUsers, userId: number): Change {
  if (!isMuted(list, userId)) throw new BadRequest('User is not muted');
  return changeTo(
    list,
    list.mutedUsers.filter(({ id }) => id !== userId),
  );
}

const changeTo = ({ userId, revision }: MutedUsers, mutedUsers: MutedUser[]): Change => ({
  writes: [
    {
      kind: 'put',
      item: { ...userKeys.mutedUsers(userId), revision: revision + 1, mutedUsers },
      condition: revision === 0 ? { exists: false } : { equals: { revision } },
    },
  ],
  events: [
    {
      audience: { kind: 'users', userIds: [userId] },
      payload: { type: 'muted_users', muted_users: mutedUsers },
    },
  ],
});
