import type { Key } from './keys.ts';

/** The owner of a count of polls: a person, or all bots of one owner. */
export type PollSubject = { kind: 'person'; userId: number } | { kind: 'bots'; ownerId: number };

export const pollSlotsKey = (subject: PollSubject): Key => ({
  pk: subject.kind === 'person' ? `POLLS#USER#${subject.userId}` : `POLLS#BOTS#${subject.ownerId}`,
  sk: 'SLOTS',
});
