import type { ChangePart } from '#shared/domain/change.ts';
import { displayEmailOf, type User } from '#shared/domain/users/user.ts';
import type { PayloadOf } from '#shared/events/catalogue.ts';
import { presenceChunkOf } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import type { Presence } from './presence.ts';

/** A user's presence as stored: one attribute of an item that holds the presences of many users. */
export interface SeenPresence {
  userId: number;
  /** Absent for users who never reported. */
  stored?: string;
}

/** Replaces the presence of a deactivated user. */
const GONE = 'gone';

const attributeOf = (userId: number): string => `u${userId}`;
const toText = ({ activeAtSeconds, connectedAtSeconds }: Presence): string =>
  `${activeAtSeconds} ${connectedAtSeconds}`;

/** The presence of one user in an item. */
export function seenIn(item: Record<string, unknown> | undefined, userId: number): SeenPresence {
  const stored = item?.[attributeOf(userId)] as string | undefined;
  return { userId, ...(stored !== undefined && { stored }) };
}

/** Whether the user is deactivated. */
export const isGone = ({ stored }: SeenPresence): boolean => stored === GONE;

/** Undefined for users who never reported and for deactivated ones. */
export function presenceOf({ stored }: SeenPresence): Presence | undefined {
  if (stored === undefined || stored === GONE) return undefined;
  const [activeAtSeconds = 0, connectedAtSeconds = 0] = stored.split(' ').map(Number);
  return { activeAtSeconds, connectedAtSeconds };
}

/** The presences in an item, by user. */
export const presencesIn = (item: Record<string, unknown>): [userId: number, presence: Presence][] =>
  Object.keys(item)
    .filter((name) => /^u\d+$/.test(name))
    .flatMap((name) => {
      const userId = Number(name.slice(1));
      const presence = presenceOf(seenIn(item, userId));
      return presence ? [[userId, presence]] : [];
    });

type Update = Extract<Write, { kind: 'update' }>;
const chunkUpdate = (userId: number): Pick<Update, 'kind' | 'key'> => ({
  kind: 'update',
  key: userKeys.presences(presenceChunkOf(userId)),
});

/** Stores a presence on condition that it has not changed since it was read. */
export function presenceWrite({ userId, stored }: SeenPresence, presence: Presence): Update {
  const attribute = attributeOf(userId);
  const condition = stored === undefined ? { absent: [attribute] } : { equals: { [attribute]: stored } };
  return { ...chunkUpdate(userId), set: { [attribute]: toText(presence) }, condition };
}

/** Removes the presence of a deactivated user and rejects reports that are still under way. */
export const forgetPresence = (userId: number): Write => ({
  ...chunkUpdate(userId),
  set: { [attributeOf(userId)]: GONE },
});

/** Lets a reactivated user report again. */
export const readmitPresence = (userId: number): Write => ({
  ...chunkUpdate(userId),
  remove: [attributeOf(userId)],
});

/** The event with a user's present or last presence. */
export const presenceUpdate = (user: User, presence: Presence, nowMs: number): PayloadOf<'presence'> => ({
  type: 'presence',
  user_id: user.userId,
  email: displayEmailOf(user),
  server_timestamp: nowMs / 1000,
  presence,
});

/** A presence that is announced to all users at once. */
export const presenceChange = (
  user: User,
  seen: SeenPresence,
  presence: Presence,
  nowMs: number,
): ChangePart => ({
  writes: [presenceWrite(seen, presence)],
  events: [{ audience: { kind: 'everyone' }, payload: presenceUpdate(user, presence, nowMs) }],
});
