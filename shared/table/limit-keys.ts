import type { Key } from './keys.ts';

/** Keys of what an account did within a window, where that is limited. */
export const limitKeys = {
  /** How many channels the account has created. */
  channelCreations: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'CHANNELS' }),
  /** How many people it has brought into channels and taken out, by requests that name many. */
  subscriptionChanges: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'SUBSCRIPTIONS' }),
};
