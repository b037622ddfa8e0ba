import { createHash } from 'node:crypto';

/** A key of the table. Only this page and those beside it write one; `docs/data-model.md` says what each item holds. */
export interface Key {
  pk: string;
  sk: string;
}

/** Positions are padded so that they sort as text; ids of the protocol end at 2 147 483 647. */
const POSITION_DIGITS = 10;
const POSITIONS_PER_BLOCK = 1000;

/** With this the partitions of request counts begin; every function of the API may write to those. */
export const REQUESTS_PREFIX = 'REQUESTS#';

const ALLOWANCE = 'ALLOWANCE';
const CHANGES = '#CHANGES';

const padded = (n: number): string => String(n).padStart(POSITION_DIGITS, '0');

/** The sort key of a position. */
export const positionSortKey = (position: number): string => padded(position);
/** The sort key of a block's digest. */
export const blockSortKey = (block: number): string => padded(block);
/** The sort key behind everything that there is of a block's digest. */
export const endOfDigest = (block: number): string => `${padded(block)}${CHANGES}`;
export const positionOfSortKey = (sortKey: string): number => Number(sortKey);

/** The block of the log that holds a position, and the first and last position of a block. */
export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK);
export const lastOfBlock = (block: number): number => (block + 1) * POSITIONS_PER_BLOCK - 1;
export const firstOfBlock = (block: number): number => block * POSITIONS_PER_BLOCK;

/**
 * What one user has marked lies in blocks of seven log blocks: a bit for each position makes 875 bytes, so that
 * with its key an item is below 1 KB, the unit that writes are counted in.
 */
const LOG_BLOCKS_PER_MARK_BLOCK = 7;
const POSITIONS_PER_MARK_BLOCK = LOG_BLOCKS_PER_MARK_BLOCK * POSITIONS_PER_BLOCK;

/** The block of a user's marks that holds a position, and the first and last position of such a block. */
export const markBlockOf = (position: number): number => Math.floor(position / POSITIONS_PER_MARK_BLOCK);
export const firstOfMarkBlock = (block: number): number => block * POSITIONS_PER_MARK_BLOCK;
export const lastOfMarkBlock = (block: number): number => (block + 1) * POSITIONS_PER_MARK_BLOCK - 1;

/** A conversation of very many people would not fit into a key. */
const conversationName = (conversation: string): string =>
  conversation.length <= 200 ? conversation : `H${createHash('sha256').update(conversation).digest('hex')}`;

/** The user or the channel whose partition this is. */
export const idOfPartition = (partition: string): number =>
  Number(partition.slice(partition.indexOf('#') + 1));

/** The group whose members an item holds, by its sort key. */
export const groupOfMembers = (sortKey: string): number => Number(sortKey.slice(0, POSITION_DIGITS));
/** The channel whose subscribers an item holds, by its sort key. */
export const channelOfSubscribers = (sortKey: string): number => Number(sortKey.slice(0, POSITION_DIGITS));
/** Whether an item among the groups holds members, by its sort key. */
export const isMembersKey = (sortKey: string): boolean => sortKey.length > POSITION_DIGITS;

/** So many people can react at the same moment without waiting for each other. */
const REACTION_PARTS = 64;

interface ReactionPlace {
  messageId: number;
  emoji: string;
}

/** With this the keys of the reactions with one emoji to one message begin. */
export const reactionPrefix = (messageId: number, emoji: string): string => `${padded(messageId)}#${emoji}#`;
/** The bounds of the keys of what people left beside messages, both included. */
export const besideRange = (from: number, to: number): { from: string; to: string } => ({
  from: `${padded(from)}#`,
  to: `${padded(to)}#~`,
});
/** The message beside which an item lies, by its sort key. */
export const messageBeside = (sortKey: string): number => Number(sortKey.slice(0, POSITION_DIGITS));

export const partitions = {
  logBlock: (block: number) => `LOG#${String(block).padStart(7, '0')}`,
  /** Of a copy of the log's tail; copies are numbered from 1 on. */
  tailBlock: (copy: number, block: number) => `TAIL#${copy}#${String(block).padStart(7, '0')}`,
  channels: () => 'CHANNELS',
  subscribers: () => 'SUBSCRIBERS',
  channelFolders: () => 'CHANNEL_FOLDERS',
  users: () => 'USERS',
  groups: () => 'GROUPS',
  user: (userId: number) => `USER#${userId}`,
  customEmoji: () => 'CUSTOM_EMOJI',
  channel: (channelId: number) => `CHANNEL#${channelId}`,
  scheduledOf: (userId: number) => `SCHEDULED#${userId}`,
  draftsOf: (userId: number) => `DRAFTS#${userId}`,
  jobs: () => 'JOBS',
  digests: () => 'DIGEST',
  presences: () => 'PRESENCES',
  userStatuses: () => 'USER_STATUSES',
  dueScheduled: () => 'DUE',
  reactionsIn: (place: string) => `REACTIONS#${place}`,
  /** Earlier texts of a message. */
  textsOf: (messageId: number) => `TEXTS#${messageId}`,
  pushUsers: () => 'PUSH_USERS',
  invitations: () => 'INVITATIONS',
  /** Invitations to an address, one of each inviter. */
  invited: (email: string) => `INVITED#${email.toLowerCase()}`,
  endingInvitations: () => 'ENDING_INVITATIONS',
};

/** Sort-key prefixes of the collections that are read by query. */
export const prefixes = {
  subscription: 'SUBSCRIPTION#',
  conversation: 'CONVERSATION#',
  subscribers: (channelId: number) => `${padded(channelId)}#`,
  topic: 'TOPIC#',
  groupMembers: (groupId: number) => `${padded(groupId)}#MEMBERS#`,
  marks: 'READ#',
  starred: 'STARRED#',
  collapsed: 'COLLAPSED#',
  savedSnippet: 'SNIPPET#',
  topicPreference: 'TOPIC_PREFERENCE#',
  pushToken: 'PUSH_TOKEN#',
};

type CounterName =
  | 'channel'
  | 'channel-folder'
  | 'device'
  | 'custom-emoji'
  | 'draft'
  | 'group'
  | 'invitation'
  | 'log'
  | 'saved-snippet'
  | 'scheduled-message'
  | 'user'
  | 'who-knows';

export const keys = {
  organization: (): Key => ({ pk: 'ORGANIZATION', sk: 'ORGANIZATION' }),
  counter: (name: CounterName): Key => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
  profileFields: (): Key => ({ pk: 'ORGANIZATION', sk: 'PROFILE_FIELDS' }),
  profileFieldsRevision: (): Key => ({ pk: 'ORGANIZATION', sk: 'PROFILE_FIELDS_REVISION' }),
  linkifiers: (): Key => ({ pk: 'ORGANIZATION', sk: 'LINKIFIERS' }),
  linkifiersRevision: (): Key => ({ pk: 'ORGANIZATION', sk: 'LINKIFIERS_REVISION' }),
  playgrounds: (): Key => ({ pk: 'ORGANIZATION', sk: 'PLAYGROUNDS' }),
  frontier: (): Key => ({ pk: 'FRONTIER', sk: 'FRONTIER' }),
  digest: (block: number): Key => ({ pk: partitions.digests(), sk: padded(block) }),
  logEntry: (position: number): Key => ({ pk: partitions.logBlock(blockOf(position)), sk: padded(position) }),
  tailEntry: (copy: number, position: number): Key => ({
    pk: partitions.tailBlock(copy, blockOf(position)),
    sk: padded(position),
  }),
  /** A list of users under a name that follows from who they are. */
  roster: (name: string): Key => ({ pk: `ROSTER#${name}`, sk: 'ROSTER' }),
  /** What changed of the messages of a block since its digest; sorts behind that. */
  digestChanges: (block: number): Key => ({ pk: partitions.digests(), sk: `${padded(block)}${CHANGES}` }),
  lastRewriting: (): Key => ({ pk: 'ORGANIZATION', sk: 'MESSAGES_REWRITTEN' }),
  /** The text that a message had until the change at a position. */
  earlierText: (messageId: number, position: number): Key => ({
    pk: partitions.textsOf(messageId),
    sk: padded(position),
  }),

  user: (userId: number): Key => ({ pk: partitions.users(), sk: padded(userId) }),
  account: (email: string): Key => ({ pk: `ACCOUNT#${email.toLowerCase()}`, sk: 'ACCOUNT' }),
  identities: (chunk: number): Key => ({ pk: 'IDENTITIES', sk: String(chunk).padStart(6, '0') }),
  presences: (chunk: number): Key => ({ pk: partitions.presences(), sk: String(chunk).padStart(6, '0') }),
  userStatus: (userId: number): Key => ({ pk: partitions.userStatuses(), sk: padded(userId) }),
  signInFailures: (email: string): Key => ({ pk: `SIGN_IN#${email.toLowerCase()}`, sk: 'FAILURES' }),
  /** Sorts behind the blocks of marks, so that one query finds it with the newest of them. */
  readState: (userId: number): Key => ({ pk: partitions.user(userId), sk: `${prefixes.marks}STATE` }),
  marks: (userId: number, block: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.marks}${padded(block)}`,
  }),
  flagged: (userId: number, flag: 'starred' | 'collapsed', block: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes[flag]}${padded(block)}`,
  }),
  /** The requests of an account or address within the window that ends then. */
  requestCount: (subject: string, windowEndSeconds: number): Key => ({
    pk: `${REQUESTS_PREFIX}${subject}`,
    sk: padded(windowEndSeconds),
  }),
  userSettings: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'SETTINGS' }),
  subscription: (userId: number, channelId: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.subscription}${padded(channelId)}`,
  }),
  topicPreference: (userId: number, channelId: number, canonicalTopic: string): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.topicPreference}${padded(channelId)}#${canonicalTopic}`,
  }),
  /** Sorts before the preferences themselves. */
  topicPreferenceRevision: (userId: number): Key => ({
    pk: partitions.user(userId),
    sk: prefixes.topicPreference,
  }),
  mutedUsers: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'MUTED_USERS' }),
  alertWords: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'ALERT_WORDS' }),
  pushDevices: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'PUSH_DEVICES' }),
  /** A device token of the older kind; tokens are longer than a key may be. */
  pushToken: (userId: number, kind: 'apns' | 'fcm', token: string): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.pushToken}${kind}#${createHash('sha256').update(token).digest('hex')}`,
  }),
  /** Messages that the devices of the user show. */
  pushedMessages: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'PUSHED_MESSAGES' }),
  /** Who has devices to be notified, like the members of a channel. */
  pushUsers: (chunk: number): Key => ({
    pk: partitions.pushUsers(),
    sk: String(chunk).padStart(6, '0'),
  }),
  notifier: (): Key => ({ pk: 'NOTIFIER', sk: 'NOTIFIER' }),
  conversation: (userId: number, conversation: string): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.conversation}${conversationName(conversation)}`,
  }),

  channel: (channelId: number): Key => ({ pk: partitions.channels(), sk: padded(channelId) }),
  channelName: (canonicalName: string): Key => ({ pk: `CHANNEL_NAME#${canonicalName}`, sk: 'CHANNEL_NAME' }),
  members: (channelId: number, chunk: number): Key => ({
    pk: partitions.subscribers(),
    sk: `${prefixes.subscribers(channelId)}${String(chunk).padStart(6, '0')}`,
  }),
  topic: (channelId: number, canonicalTopic: string): Key => ({
    pk: partitions.channel(channelId),
    sk: `${prefixes.topic}${canonicalTopic}`,
  }),
  /** Who has a preference for a topic. */
  topicPreferrers: (channelId: number, canonicalTopic: string): Key => ({
    pk: partitions.channel(channelId),
    sk: `PREFERRED#${canonicalTopic}`,
  }),
  customEmoji: (emojiId: number): Key => ({ pk: partitions.customEmoji(), sk: padded(emojiId) }),
  customEmojiName: (name: string): Key => ({ pk: `CUSTOM_EMOJI_NAME#${name}`, sk: 'CUSTOM_EMOJI_NAME' }),

  channelFolder: (folderId: number): Key => ({ pk: partitions.channelFolders(), sk: padded(folderId) }),
  channelFolderOrder: (): Key => ({ pk: partitions.channelFolders(), sk: 'ORDER' }),
  retention: (): Key => ({ pk: 'RETENTION', sk: 'RETENTION' }),
  traffic: (): Key => ({ pk: 'TRAFFIC', sk: 'TRAFFIC' }),

  group: (groupId: number): Key => ({ pk: partitions.groups(), sk: padded(groupId) }),
  groupMembers: (groupId: number, chunk: number): Key => ({
    pk: partitions.groups(),
    sk: `${prefixes.groupMembers(groupId)}${String(chunk).padStart(6, '0')}`,
  }),
  /** Up to when members were announced as full members. */
  fullMembers: (): Key => ({ pk: 'FULL_MEMBERS', sk: 'FULL_MEMBERS' }),
  groupGraph: (): Key => ({ pk: 'GROUP_GRAPH', sk: 'GROUP_GRAPH' }),
  groupName: (canonicalName: string): Key => ({ pk: `GROUP_NAME#${canonicalName}`, sk: 'GROUP_NAME' }),

  queue: (queueId: string): Key => ({ pk: `QUEUE#${queueId}`, sk: 'QUEUE' }),
  queueArrears: (queueId: string): Key => ({ pk: `QUEUE#${queueId}`, sk: 'ARREARS' }),
  scheduledMessage: (userId: number, id: number): Key => ({
    pk: partitions.scheduledOf(userId),
    sk: padded(id),
  }),
  draft: (userId: number, id: number): Key => ({ pk: partitions.draftsOf(userId), sk: padded(id) }),
  /** Sorts behind the drafts themselves; that of saved snippets behind those. */
  draftAllowance: (userId: number): Key => ({ pk: partitions.draftsOf(userId), sk: ALLOWANCE }),
  savedSnippet: (userId: number, id: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.savedSnippet}${padded(id)}`,
  }),
  snippetAllowance: (userId: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.savedSnippet}${ALLOWANCE}`,
  }),
  navigationViews: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'NAVIGATION_VIEWS' }),
  botStorage: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'BOT_STORAGE' }),
  exports: (): Key => ({ pk: 'EXPORTS', sk: 'EXPORTS' }),
  exportProgress: (exportId: number): Key => ({ pk: `EXPORT#${exportId}`, sk: 'PROGRESS' }),
  job: (jobId: string): Key => ({ pk: partitions.jobs(), sk: jobId }),
  /** Of the reactions with one emoji to one message, those of some of the users. */
  reactions: (place: string, { messageId, emoji }: ReactionPlace, userId: number): Key => ({
    pk: partitions.reactionsIn(place),
    sk: `${reactionPrefix(messageId, emoji)}${String(userId % REACTION_PARTS).padStart(2, '0')}`,
  }),

  /** What a caller asked for under a key of their own, so that it happens once. */
  keyedRequest: (userId: number, key: string): Key => ({ pk: `KEYED_REQUESTS#${userId}`, sk: key }),

  invitation: (invitationId: number): Key => ({ pk: partitions.invitations(), sk: padded(invitationId) }),
  invited: (email: string, inviterId: number): Key => ({
    pk: partitions.invited(email),
    sk: padded(inviterId),
  }),
  /** How many mails were asked for: by everybody, from a network address, or to an e-mail address. */
  mailCount: (subject: string): Key => ({ pk: `MAILS#${subject.toLowerCase()}`, sk: 'COUNT' }),
};

/** Attribute values of the two message indexes; their sort key is the position. */
export const messageIndex = {
  byConversation: 'byConversation',
  byChannel: 'byChannel',
  topic: (channelId: number, canonicalTopic: string) => `C${channelId}#${canonicalTopic}`,
  direct: (conversation: string) => `D${conversationName(conversation)}`,
  channel: (channelId: number) => `C${channelId}`,
} as const;
