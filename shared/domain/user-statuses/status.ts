import type { ChangePart } from '#shared/domain/change.ts';
import type { Emoji } from '#shared/domain/emoji/emoji-type.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent, PayloadOf } from '#shared/events/catalogue.ts';
import type { StatusChange } from '#shared/events/event-fields.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { emojiFields, isSameEmoji, noEmojiFields } from './emoji.ts';

/** A temporary status message of a user. */
export interface UserStatus {
  /** Empty without a text. */
  text: string;
  emoji: Emoji | null;
  /** The user hides their presence, which old clients treat as a status. */
  isAway: boolean;
}

/** A status as it is stored. */
export interface StoredStatus extends UserStatus {
  userId: number;
  /** The user is deactivated. */
  isGone?: true;
  /** Counts changes; a change is conditional on the revision that it read. */
  revision: number;
}

/** Users who never set a status have no item. */
export const noStatus = (userId: number): StoredStatus => ({
  userId,
  text: '',
  emoji: null,
  isAway: false,
  revision: 0,
});

/** The status record of the protocol, which contains only the set fields. */
export const toStatusRecord = ({ text, emoji, isAway }: UserStatus) => ({
  ...(isAway && { away: true as const }),
  ...(text !== '' && { status_text: text }),
  ...(emoji && emojiFields(emoji)),
});

/** @throws BadRequest when the user was deactivated */
export function requirePresent({ isGone }: StoredStatus): void {
  if (isGone) throw new BadRequest('User is deactivated');
}

/** @throws BadRequest for users who cannot have a status */
export function requireStatusOwner(user: User): void {
  if (user.isBot) throw new BadRequest('No such user');
  if (!user.isActive) throw new BadRequest('User is deactivated');
}

/** Changes parts of a status and notifies all users; empty when nothing changes. */
export function statusChange(seen: StoredStatus, wishes: Partial<UserStatus>): ChangePart {
  const { userId, revision, text, emoji, isAway } = seen;
  const before = { text, emoji, isAway };
  const after = { ...before, ...wishes };
  const changed = {
    ...(after.text !== before.text && { status_text: after.text }),
    ...(!isSameEmoji(after.emoji, before.emoji) && (after.emoji ? emojiFields(after.emoji) : noEmojiFields)),
    ...(after.isAway !== before.isAway && { away: after.isAway }),
  };
  if (Object.keys(changed).length === 0) return { writes: [], events: [] };
  return {
    writes: [
      {
        kind: 'put',
        item: { ...userKeys.status(userId), userId, ...after, revision: revision + 1 },
        condition: { belowOrAbsent: { revision: revision + 1 } },
      },
    ],
    events: [statusEvent(userId, changed)],
  };
}

/** Removes the status of a deactivated user; a concurrent change of it fails. */
export const forgetStatus = (userId: number): Write => ({
  kind: 'update',
  key: userKeys.status(userId),
  set: { userId, text: '', emoji: null, isGone: true },
  add: { revision: 1 },
});

/** Lets a reactivated user set a status again; a hidden presence stays hidden. */
export const readmitStatus = ({ userId, isAway }: StoredStatus): ChangePart => ({
  writes: [
    {
      kind: 'update',
      key: userKeys.status(userId),
      set: { userId },
      remove: ['isGone'],
      add: { revision: 1 },
    },
  ],
  events: isAway ? [statusEvent(userId, { away: true })] : [],
});

/** The complete status, for users who start to see its owner. */
export const wholeStatus = ({ userId, text, emoji, isAway }: StoredStatus): StatusUpdate =>
  statusUpdate(userId, { status_text: text, ...(emoji ? emojiFields(emoji) : noEmojiFields), away: isAway });

type StatusUpdate = PayloadOf<'user_status'>;

const statusEvent = (userId: number, changed: StatusChange): LogEvent => ({
  audience: { kind: 'everyone' },
  payload: statusUpdate(userId, changed),
});

const statusUpdate = (userId: number, changed: StatusChange): StatusUpdate => ({
  type: 'user_status',
  user_id: userId,
  ...changed,
});
