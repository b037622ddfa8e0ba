import { idSortKey, type Key } from './key.ts';

/** The prefix of partitions of request counts, which every function of the API may write. */
export const REQUESTS_PREFIX = 'REQUESTS#';

/** Kinds of things that an account creates, each counted separately. */
export type CountedKind = 'USER_GROUPS' | 'CUSTOM_EMOJI' | 'BOTS' | 'INVITATION_LINKS';

/** Keys of rate limits per account. */
export const limitKeys = {
  /** The requests of an account or address in the window that ends at this time. */
  requestCount: (subject: string, windowEndSeconds: number): Key => ({
    pk: `${REQUESTS_PREFIX}${subject}`,
    sk: idSortKey(windowEndSeconds),
  }),
  /** A request with a key of the caller's choice, for idempotency. */
  keyedRequest: (userId: number, key: string): Key => ({ pk: `KEYED_REQUESTS#${userId}`, sk: key }),
  /** Counts requested mails: in total, from a network address, or to an e-mail address. */
  mailCount: (subject: string): Key => ({ pk: `MAILS#${subject.toLowerCase()}`, sk: 'COUNT' }),
  /** Channels created by the account. */
  channelCreations: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'CHANNELS' }),
  /** The same for user groups, custom emoji, bots and invitation links. */
  creations: (userId: number, kind: CountedKind): Key => ({ pk: `CREATIONS#${userId}`, sk: kind }),
  /** People that the account has subscribed or unsubscribed by requests that name many. */
  subscriptionChanges: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'SUBSCRIPTIONS' }),
  /** Searches for GIFs that the provider answered. */
  gifSearches: (userId: number): Key => ({ pk: `CREATIONS#${userId}`, sk: 'GIFS' }),
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
