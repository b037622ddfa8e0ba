import type { Key } from './keys.ts';

/** Kinds of things that an account creates, each counted separately. */
export type CountedKind = 'USER_GROUPS' | 'CUSTOM_EMOJI' | 'BOTS' | 'INVITATION_LINKS';

/** Keys of rate limits per account. */
export const limitKeys = {
  /** Channels created by the account. */
  channelCreations: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'CHANNELS' }),
  /** The same for user groups, custom emoji, bots and invitation links. */
  creations: (userId: number, kind: CountedKind): Key => ({ pk: `CREATIONS#${userId}`, sk: kind }),
  /** People that the account has subscribed or unsubscribed by requests that name many. */
  subscriptionChanges: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'SUBSCRIPTIONS' }),
};

/** Keys of counters of things. */
export const roomKeys = {
  /** The scheduled messages and reminders of an account. */
  scheduled: (userId: number): Key => ({ pk: `ROOM#SCHEDULED#${userId}`, sk: 'COUNT' }),
  /** Active custom groups. */
  userGroups: (): Key => ({ pk: 'ROOM#USER_GROUPS', sk: 'COUNT' }),
  /** Active custom emoji. */
  customEmoji: (): Key => ({ pk: 'ROOM#CUSTOM_EMOJI', sk: 'COUNT' }),
};
