import type { Key } from './keys.ts';

/** Whose polls are counted together: those of a person, or of all bots of one owner. */
export type PollSubject = { kind: 'person'; userId: number } | { kind: 'bots'; ownerId: number };

export const pollSlotsKey = (subject: PollSubject): Key => ({
  pk: subject.kind === 'person' ? `POLLS#USER#${subject.userId}` : `POLLS#BOTS#${subject.ownerId}`,
  sk: 'SLOTS',
});
