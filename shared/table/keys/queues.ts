import type { Key } from './key.ts';

/** The owner of a count of polls: a person, or all bots of one owner. */
export type PollSubject = { kind: 'person'; userId: number } | { kind: 'bots'; ownerId: number };

/** All open connections; connections of one account are adjacent. */
export const SOCKETS_PARTITION = 'SOCKETS';

export const socketPrefix = (subject: string): string => `${subject}#`;

export const queueKeys = {
  queue: (queueId: string): Key => ({ pk: `QUEUE#${queueId}`, sk: 'QUEUE' }),
  deferred: (queueId: string): Key => ({ pk: `QUEUE#${queueId}`, sk: 'ARREARS' }),
  pollSlots: (subject: PollSubject): Key => ({
    pk: subject.kind === 'person' ? `POLLS#USER#${subject.userId}` : `POLLS#BOTS#${subject.ownerId}`,
    sk: 'SLOTS',
  }),
};

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
