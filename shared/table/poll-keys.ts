import type { Key } from './keys.ts';

/** The owner of a count of polls: a person, or all bots of one owner. */
export type PollSubject = { kind: 'person'; userId: number } | { kind: 'bots'; ownerId: number };

export const pollSlotsKey = (subject: PollSubject): Key => ({
  pk: subject.kind === 'person' ? `POLLS#USER#${subject.userId}` : `POLLS#BOTS#${subject.ownerId}`,
  sk: 'SLOTS',
});

/** All open connections; those of one account lie side by side. */
export const SOCKETS_PARTITION = 'SOCKETS';

export const socketPrefix = (subject: string): string => `${subject}#`;

export const socketKeys = {
  connection: (subject: string, connectionId: string): Key => ({
    pk: SOCKETS_PARTITION,
    sk: `${socketPrefix(subject)}${connectionId}`,
  }),
  /** Whose connection it is. */
  name: (connectionId: string): Key => ({ pk: `${SOCKETS_PARTITION}#${connectionId}`, sk: 'SOCKET' }),
  /** How far the log was pushed to connections. */
  pusher: (): Key => ({ pk: 'PUSHER', sk: 'PUSHER' }),
};
