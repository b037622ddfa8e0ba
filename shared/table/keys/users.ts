import { createHash } from 'node:crypto';
import { chunkSortKey, idSortKey, type Key } from './key.ts';
import { conversationName } from './log.ts';

export const userPartitions = {
  users: () => 'USERS',
  user: (userId: number) => `USER#${userId}`,
  presences: () => 'PRESENCES',
  statuses: () => 'USER_STATUSES',
  pushUsers: () => 'PUSH_USERS',
};

/** Sort-key prefixes of the collections in a user's partition. */
export const userPrefixes = {
  conversation: 'CONVERSATION#',
  marks: 'READ#',
  starred: 'STARRED#',
  collapsed: 'COLLAPSED#',
  hide_link_previews: 'HIDDEN_PREVIEWS#',
  pushToken: 'PUSH_TOKEN#',
};

export const userKeys = {
  user: (userId: number): Key => ({ pk: userPartitions.users(), sk: idSortKey(userId) }),
  account: (email: string): Key => ({ pk: `ACCOUNT#${email.toLowerCase()}`, sk: 'ACCOUNT' }),
  identities: (chunk: number): Key => ({ pk: 'IDENTITIES', sk: chunkSortKey(chunk) }),
  presences: (chunk: number): Key => ({ pk: userPartitions.presences(), sk: chunkSortKey(chunk) }),
  status: (userId: number): Key => ({ pk: userPartitions.statuses(), sk: idSortKey(userId) }),
  settings: (userId: number): Key => ({ pk: userPartitions.user(userId), sk: 'SETTINGS' }),
  mutedUsers: (userId: number): Key => ({ pk: userPartitions.user(userId), sk: 'MUTED_USERS' }),
  alertWords: (userId: number): Key => ({ pk: userPartitions.user(userId), sk: 'ALERT_WORDS' }),
  navigationViews: (userId: number): Key => ({ pk: userPartitions.user(userId), sk: 'NAVIGATION_VIEWS' }),
  conversation: (userId: number, conversation: string): Key => ({
    pk: userPartitions.user(userId),
    sk: `${userPrefixes.conversation}${conversationName(conversation)}`,
  }),
  /** Sorts after the blocks of marks, so that one query reads it with the newest of them. */
  readState: (userId: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${userPrefixes.marks}STATE`,
  }),
  marks: (userId: number, block: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${userPrefixes.marks}${idSortKey(block)}`,
  }),
  flagged: (userId: number, flag: 'starred' | 'collapsed' | 'hide_link_previews', block: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${userPrefixes[flag]}${idSortKey(block)}`,
  }),
  pushDevices: (userId: number): Key => ({ pk: userPartitions.user(userId), sk: 'PUSH_DEVICES' }),
  /** A device token of the older kind; hashed because tokens can be longer than keys. */
  pushToken: (userId: number, kind: 'apns' | 'fcm', token: string): Key => ({
    pk: userPartitions.user(userId),
    sk: `${userPrefixes.pushToken}${kind}#${createHash('sha256').update(token).digest('hex')}`,
  }),
  /** Messages with a notification on the user's devices. */
  pushedMessages: (userId: number): Key => ({ pk: userPartitions.user(userId), sk: 'PUSHED_MESSAGES' }),
  /** Users with devices to notify, stored like members of a channel. */
  pushUsers: (chunk: number): Key => ({ pk: userPartitions.pushUsers(), sk: chunkSortKey(chunk) }),
  notifier: (): Key => ({ pk: 'NOTIFIER', sk: 'NOTIFIER' }),
};
