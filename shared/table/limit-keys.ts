import type { Key } from './keys.ts';

/** Keys of what an account did within a window, where that is limited. */
export const limitKeys = {
  /** How many channels the account has created. */
  channelCreations: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'CHANNELS' }),
};
