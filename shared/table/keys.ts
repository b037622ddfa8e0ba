import { createHash } from 'node:crypto';

/**
 * A key of the table. Only this file and its neighbours create keys; `docs/data-model.md` describes the
 * items.
 */
export interface Key {
  pk: string;
  sk: string;
}

/** Positions are padded so that they sort as text; protocol ids end at 2 147 483 647. */
const POSITION_DIGITS = 10;
const POSITIONS_PER_BLOCK = 1000;

/** The prefix of partitions of request counts, which every function of the API may write. */
export const REQUESTS_PREFIX = 'REQUESTS#';

const ALLOWANCE = 'ALLOWANCE';
const CHANGES = '#CHANGES';

const padded = (n: number): string => String(n).padStart(POSITION_DIGITS, '0');

/** The sort key of a position. */
export const positionSortKey = (position: number): string => padded(position);
/** The sort key of a block summary. */
export const blockSortKey = (block: number): string => padded(block);
/** The sort key after all items of a block summary. */
export const endOfBlockSummary = (block: number): string => `${padded(block)}${CHANGES}`;
export const positionOfSortKey = (sortKey: string): number => Number(sortKey);

/** The block of the log that holds a position, and the first and last position of a block. */
export const blockOf = (position: number): number => Math.floor(position / POSITIONS_PER_BLOCK);
export const lastOfBlock = (block: number): number => (block + 1) * POSITIONS_PER_BLOCK - 1;
export const firstOfBlock = (block: number): number => block * POSITIONS_PER_BLOCK;

/**
 * A user's marks are stored in blocks of seven log blocks: one bit per position makes 875 bytes, so that an
 * item with its key stays below 1 KB, the write unit.
 */
const LOG_BLOCKS_PER_MARK_BLOCK = 7;
const POSITIONS_PER_MARK_BLOCK = LOG_BLOCKS_PER_MARK_BLOCK * POSITIONS_PER_BLOCK;

/** The block of a user's marks that holds a position, and the first and last position of such a block. */
export const markBlockOf = (position: number): number => Math.floor(position / POSITIONS_PER_MARK_BLOCK);
export const firstOfMarkBlock = (block: number): number => block * POSITIONS_PER_MARK_BLOCK;
export const lastOfMarkBlock = (block: number): number => (block + 1) * POSITIONS_PER_MARK_BLOCK - 1;

/** Hashed when a conversation has too many people for a key. */
const conversationName = (conversation: string): string =>
  conversation.length <= 200 ? conversation : `H${createHash('sha256').update(conversation).digest('hex')}`;

/** The id of the user or channel that owns the partition. */
export const idOfPartition = (partition: string): number =>
  Number(partition.slice(partition.indexOf('#') + 1));

/** The group in the sort key of a members item. */
export const groupOfMembers = (sortKey: string): number => Number(sortKey.slice(0, POSITION_DIGITS));
/** The channel in the sort key of a subscribers item. */
export const channelOfSubscribers = (sortKey: string): number => Number(sortKey.slice(0, POSITION_DIGITS));
/** Whether the sort key among the groups belongs to a members item. */
export const isMembersKey = (sortKey: string): boolean => sortKey.length > POSITION_DIGITS;

/** Spread, so that this many people can react at the same moment without conflicts. */
const REACTION_PARTS = 64;

interface ReactionPlace {
  messageId: number;
  emoji: string;
}

/** The key prefix of the reactions with one emoji to one message. */
export const reactionPrefix = (messageId: number, emoji: string): string => `${padded(messageId)}#${emoji}#`;
/** The key range of the data attached to messages, both ends included. */
export const besideRange = (from: number, to: number): { from: string; to: string } => ({
  from: `${padded(from)}#`,
  to: `${padded(to)}#~`,
});
/** The message of a submessage or reaction item, by its sort key. */
export const messageBeside = (sortKey: string): number => Number(sortKey.slice(0, POSITION_DIGITS));

export const partitions = {
  logBlock: (block: number) => `LOG#${String(block).padStart(7, '0')}`,
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
  blockSummaries: () => 'DIGEST',
  presences: () => 'PRESENCES',
  userStatuses: () => 'USER_STATUSES',
  /** Scheduled messages and feeds, so that one read finds everything that is due. */
  dueScheduled: () => 'DUE',
  feeds: () => 'FEEDS',
  reactionsIn: (place: string) => `REACTIONS#${place}`,
  /** Earlier texts of a message. */
  textsOf: (messageId: number) => `TEXTS#${messageId}`,
  pushUsers: () => 'PUSH_USERS',
  invitations: () => 'INVITATIONS',
  /** Invitations to an address, one per inviter. */
  invited: (email: string) => `INVITED#${email.toLowerCase()}`,
  /** When tokens were last used; among the request counts, which every function writes. */
  tokenUses: (userId: number) => `${REQUESTS_PREFIX}tokens of user ${userId}`,
  webhookDeliveriesOf: (userId: number) => `WEBHOOK_DELIVERIES#${userId}`,
  endingInvitations: () => 'ENDING_INVITATIONS',
};

/** Sort-key prefixes of the collections that are read by query. */
export const prefixes = {
  subscription: 'SUBSCRIPTION#',
  conversation: 'CONVERSATION#',
  subscribers: (channelId: number) => `${padded(channelId)}#`,
  topic: 'TOPIC#',
  feedsOf: (channelId: number) => `${padded(channelId)}#`,
  groupMembers: (groupId: number) => `${padded(groupId)}#MEMBERS#`,
  marks: 'READ#',
  starred: 'STARRED#',
  collapsed: 'COLLAPSED#',
  hide_link_previews: 'HIDDEN_PREVIEWS#',
  savedSnippet: 'SNIPPET#',
  topicPreference: 'TOPIC_PREFERENCE#',
  pushToken: 'PUSH_TOKEN#',
  apiToken: 'API_TOKEN#',
};

type CounterName =
  | 'api-token'
  | 'channel'
  | 'channel-folder'
  | 'device'
  | 'custom-emoji'
  | 'draft'
  | 'feed'
  | 'group'
  | 'invitation'
  | 'log'
  | 'saved-snippet'
  | 'scheduled-message'
  | 'user'
  | 'who-knows';

export const keys = {
  linkPreview: (digest: string): Key => ({ pk: `PREVIEW#${digest}`, sk: 'PREVIEW' }),
  organization: (): Key => ({ pk: 'ORGANIZATION', sk: 'ORGANIZATION' }),
  counter: (name: CounterName): Key => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
  profileFields: (): Key => ({ pk: 'ORGANIZATION', sk: 'PROFILE_FIELDS' }),
  profileFieldsRevision: (): Key => ({ pk: 'ORGANIZATION', sk: 'PROFILE_FIELDS_REVISION' }),
  linkifiers: (): Key => ({ pk: 'ORGANIZATION', sk: 'LINKIFIERS' }),
  linkifiersRevision: (): Key => ({ pk: 'ORGANIZATION', sk: 'LINKIFIERS_REVISION' }),
  playgrounds: (): Key => ({ pk: 'ORGANIZATION', sk: 'PLAYGROUNDS' }),
  lowWaterMark: (): Key => ({ pk: 'FRONTIER', sk: 'FRONTIER' }),
  blockSummary: (block: number): Key => ({ pk: partitions.blockSummaries(), sk: padded(block) }),
  logEntry: (position: number): Key => ({ pk: partitions.logBlock(blockOf(position)), sk: padded(position) }),
  /** A list of users under a name derived from its content. */
  recipientSet: (name: string): Key => ({ pk: `ROSTER#${name}`, sk: 'ROSTER' }),
  /** Changes of a block's messages since its summary; sorts after the summary. */
  blockSummaryChanges: (block: number): Key => ({
    pk: partitions.blockSummaries(),
    sk: `${padded(block)}${CHANGES}`,
  }),
  lastRewriting: (): Key => ({ pk: 'ORGANIZATION', sk: 'MESSAGES_REWRITTEN' }),
  /** The text of a message before the change at a position. */
  earlierText: (messageId: number, position: number): Key => ({
    pk: partitions.textsOf(messageId),
    sk: padded(position),
  }),

  user: (userId: number): Key => ({ pk: partitions.users(), sk: padded(userId) }),
  /** The account of an API key, by the digest of the key. */
  apiKey: (digest: string): Key => ({ pk: `API_KEY#${digest}`, sk: 'API_KEY' }),
  account: (email: string): Key => ({ pk: `ACCOUNT#${email.toLowerCase()}`, sk: 'ACCOUNT' }),
  identities: (chunk: number): Key => ({ pk: 'IDENTITIES', sk: String(chunk).padStart(6, '0') }),
  presences: (chunk: number): Key => ({ pk: partitions.presences(), sk: String(chunk).padStart(6, '0') }),
  userStatus: (userId: number): Key => ({ pk: partitions.userStatuses(), sk: padded(userId) }),
  /** Failures from one network, or all of an account. */
  signInFailures: (email: string, network?: string): Key => ({
    pk: `SIGN_IN#${email.toLowerCase()}`,
    sk: network === undefined ? 'FAILURES' : `FAILURES#${network}`,
  }),
  /** A network from which the account has signed in. */
  signInNetwork: (email: string, network: string): Key => ({
    pk: `SIGN_IN#${email.toLowerCase()}`,
    sk: `NETWORK#${network}`,
  }),
  /** Sorts after the blocks of marks, so that one query reads it with the newest of them. */
  readState: (userId: number): Key => ({ pk: partitions.user(userId), sk: `${prefixes.marks}STATE` }),
  marks: (userId: number, block: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.marks}${padded(block)}`,
  }),
  flagged: (userId: number, flag: 'starred' | 'collapsed' | 'hide_link_previews', block: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes[flag]}${padded(block)}`,
  }),
  /** The requests of an account or address in the window that ends at this time. */
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
  /** Sorts before the preferences. */
  topicPreferenceRevision: (userId: number): Key => ({
    pk: partitions.user(userId),
    sk: prefixes.topicPreference,
  }),
  mutedUsers: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'MUTED_USERS' }),
  alertWords: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'ALERT_WORDS' }),
  pushDevices: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'PUSH_DEVICES' }),
  /** A device token of the older kind; hashed because tokens can be longer than keys. */
  pushToken: (userId: number, kind: 'apns' | 'fcm', token: string): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.pushToken}${kind}#${createHash('sha256').update(token).digest('hex')}`,
  }),
  apiToken: (userId: number, tokenId: number): Key => ({
    pk: partitions.user(userId),
    sk: `${prefixes.apiToken}${padded(tokenId)}`,
  }),
  /** By the digest of the code's secret. */
  authorizationCode: (userId: number, digest: string): Key => ({
    pk: partitions.user(userId),
    sk: `OAUTH_CODE#${digest}`,
  }),
  tokenUse: (userId: number, tokenId: number): Key => ({
    pk: partitions.tokenUses(userId),
    sk: padded(tokenId),
  }),
  /** Messages with a notification on the user's devices. */
  pushedMessages: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'PUSHED_MESSAGES' }),
  /** Users with devices to notify, stored like members of a channel. */
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
  /** Users with a preference for a topic. */
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
  /** Until when the promotion of members to full members has been announced. */
  fullMembers: (): Key => ({ pk: 'FULL_MEMBERS', sk: 'FULL_MEMBERS' }),
  groupGraph: (): Key => ({ pk: 'GROUP_GRAPH', sk: 'GROUP_GRAPH' }),
  groupName: (canonicalName: string): Key => ({ pk: `GROUP_NAME#${canonicalName}`, sk: 'GROUP_NAME' }),

  queue: (queueId: string): Key => ({ pk: `QUEUE#${queueId}`, sk: 'QUEUE' }),
  queueDeferred: (queueId: string): Key => ({ pk: `QUEUE#${queueId}`, sk: 'ARREARS' }),
  scheduledMessage: (userId: number, id: number): Key => ({
    pk: partitions.scheduledOf(userId),
    sk: padded(id),
  }),
  draft: (userId: number, id: number): Key => ({ pk: partitions.draftsOf(userId), sk: padded(id) }),
  /** Sorts after the drafts; the one of saved snippets after those. */
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
  webhookHealth: (botId: number): Key => ({ pk: partitions.user(botId), sk: 'WEBHOOK_HEALTH' }),
  /** The configuration of a bot: templates and secrets of its integration. */
  botConfiguration: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'BOT_CONFIGURATION' }),
  /** When the owner of a bot was last notified of a failure. */
  ownerNotice: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'OWNER_NOTICE' }),
  webhookDelivery: (userId: number, atMs: number, id: string): Key => ({
    pk: partitions.webhookDeliveriesOf(userId),
    sk: `${String(atMs).padStart(14, '0')}#${id}`,
  }),
  feed: (channelId: number, feedId: number): Key => ({
    pk: partitions.feeds(),
    sk: `${prefixes.feedsOf(channelId)}${padded(feedId)}`,
  }),
  botStorage: (userId: number): Key => ({ pk: partitions.user(userId), sk: 'BOT_STORAGE' }),
  exports: (): Key => ({ pk: 'EXPORTS', sk: 'EXPORTS' }),
  exportProgress: (exportId: number): Key => ({ pk: `EXPORT#${exportId}`, sk: 'PROGRESS' }),
  job: (jobId: string): Key => ({ pk: partitions.jobs(), sk: jobId }),
  /** Some users' reactions with one emoji to one message. */
  reactions: (place: string, { messageId, emoji }: ReactionPlace, userId: number): Key => ({
    pk: partitions.reactionsIn(place),
    sk: `${reactionPrefix(messageId, emoji)}${String(userId % REACTION_PARTS).padStart(2, '0')}`,
  }),

  /** A request with a key of the caller's choice, for idempotency. */
  keyedRequest: (userId: number, key: string): Key => ({ pk: `KEYED_REQUESTS#${userId}`, sk: key }),

  invitation: (invitationId: number): Key => ({ pk: partitions.invitations(), sk: padded(invitationId) }),
  invited: (email: string, inviterId: number): Key => ({
    pk: partitions.invited(email),
    sk: padded(inviterId),
  }),
  /** Counts requested mails: in total, from a network address, or to an e-mail address. */
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
