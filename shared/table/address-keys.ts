import type { Key } from './keys.ts';

export const addressChangeKeys = {
  /** The address that a person wants and has not confirmed. */
  change: (userId: number): Key => ({ pk: `ADDRESS_CHANGE#${userId}`, sk: 'CHANGE' }),
  /** How many mails a user asked for to confirm a new address, or how many went to one. */
  count: (subject: string): Key => ({ pk: `ADDRESS_CHANGE#${subject.toLowerCase()}`, sk: 'COUNT' }),
};
