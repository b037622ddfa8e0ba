import type { Key } from './key.ts';

/** The owner of a count of polls: a person, or all bots of one owner. */
export type PollSubject = { kind: 'person'; userId: number } | { kind: 'bots'; ownerId: number };

/** The open connections of the first part; those of one account are adjacent. */
export const SOCKETS_PARTITION = 'SOCKETS';

/** The open connections of a part. */
export const socketsOfPart = (part = 0): string =>
  part === 0 ? SOCKETS_PARTITION : `${SOCKETS_PARTITION}#PART#${part}`;

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
  connection: (subject: string, connectionId: string, part?: number): Key => ({
    pk: socketsOfPart(part),
    sk: `${socketPrefix(subject)}${connectionId}`,
  }),
  /** Whose connection it is. */
  name: (connectionId: string): Key => ({ pk: `${SOCKETS_PARTITION}#${connectionId}`, sk: 'SOCKET' }),
  /** The parts and their sizes; the first item beside the connections of the first part, so that one read finds both. */
  parts: (): Key => ({ pk: SOCKETS_PARTITION, sk: '#PARTS' }),
  /** How far the log was pushed to the connections of a part. */
  pusher: (part = 0): Key => ({ pk: part === 0 ? 'PUSHER' : `PUSHER#${part}`, sk: 'PUSHER' }),
};
