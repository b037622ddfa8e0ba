import type { ChangePart } from '#shared/domain/change.ts';
import { displayEmailOf } from '#shared/domain/users/address.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import { presenceChunkOf } from '#shared/table/chunks.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Presence } from './presence.ts';

/** A user's presence as it is stored: one attribute of an item that holds those of many. */
export interface SeenPresence {
  userId: number;
  /** Absent of those who never reported. */
  stored?: string;
}

/** What stands in the place of a presence while its user is deactivated. */
const GONE = 'gone';

const attributeOf = (userId: number): string => `u${userId}`;
const toText = ({ activeAtSeconds, connectedAtSeconds }: Presence): string =>
  `${activeAtSeconds} ${connectedAtSeconds}`;

/** The presence of a user among those that an item holds. */
export function seenIn(item: Record<string, unknown> | undefined, userId: number): SeenPresence {
  const stored = item?.[attributeOf(userId)] as string | undefined;
  return { userId, ...(stored !== undefined && { stored }) };
}

/** Whether the user was deactivated. */
export const isGone = ({ stored }: SeenPresence): boolean => stored === GONE;

/** Undefined of those who never reported, and of deactivated users. */
export function presenceOf({ stored }: SeenPresence): Presence | undefined {
  if (stored === undefined || stored === GONE) return undefined;
  const [activeAtSeconds = 0, connectedAtSeconds = 0] = stored.split(' ').map(Number);
  return { activeAtSeconds, connectedAtSeconds };
}

/** The presences that an item holds, by user. */
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
  key: keys.presences(presenceChunkOf(userId)),
});

/** Stores a presence unless it is no longer what was seen. */
export function presenceWrite({ userId, stored }: SeenPresence, presence: Presence): Update {
  const attribute = attributeOf(userId);
  const condition = stored === undefined ? { absent: [attribute] } : { equals: { [attribute]: stored } };
  return { ...chunkUpdate(userId), set: { [attribute]: toText(presence) }, condition };
}

/** Whoever is deactivated has no presence any longer, nor can a report that is under way give them one. */
export const forgetPresence = (userId: number): Write => ({
  ...chunkUpdate(userId),
  set: { [attributeOf(userId)]: GONE },
});

/** Whoever comes back begins anew. */
export const readmitPresence = (userId: number): Write => ({
  ...chunkUpdate(userId),
  remove: [attributeOf(userId)],
});

/** The stored form of the event: each client gets the form that it understands. */
export interface PresenceUpdate extends EventPayload {
  type: 'presence';
  user_id: number;
  email: string;
  server_timestamp: number;
  presence: Presence;
}

/** Tells where somebody is, or when they last were there. */
export const presenceUpdate = (user: User, presence: Presence, nowMs: number): PresenceUpdate => ({
  type: 'presence',
  user_id: user.userId,
  email: displayEmailOf(user),
  server_timestamp: nowMs / 1000,
  presence,
});

/** A presence that everybody hears of at once. */
export const presenceChange = (
  user: User,
  seen: SeenPresence,
  presence: Presence,
  nowMs: number,
): ChangePart => ({
  writes: [presenceWrite(seen, presence)],
  events: [{ audience: { kind: 'everyone' }, payload: presenceUpdate(user, presence, nowMs) }],
});
