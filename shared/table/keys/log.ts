import { createHash } from 'node:crypto';
import { idSortKey, type Key } from './key.ts';

const POSITIONS_PER_BLOCK = 1000;
const CHANGES = '#CHANGES';

/** The sort key of a position. */
export const positionSortKey = idSortKey;
/** The sort key of a block summary. */
export const blockSortKey = idSortKey;
/** The sort key after all items of a block summary. */
export const endOfBlockSummary = (block: number): string => `${blockSortKey(block)}${CHANGES}`;
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

export const logPartitions = {
  block: (block: number) => `LOG#${String(block).padStart(7, '0')}`,
  blockSummaries: () => 'DIGEST',
};

export const logKeys = {
  entry: (position: number): Key => ({
    pk: logPartitions.block(blockOf(position)),
    sk: positionSortKey(position),
  }),
  lowWaterMark: (): Key => ({ pk: 'FRONTIER', sk: 'FRONTIER' }),
  blockSummary: (block: number): Key => ({ pk: logPartitions.blockSummaries(), sk: blockSortKey(block) }),
  /** Changes of a block's messages since its summary; sorts after the summary. */
  blockSummaryChanges: (block: number): Key => ({
    pk: logPartitions.blockSummaries(),
    sk: endOfBlockSummary(block),
  }),
  /** A list of users under a name derived from its content. */
  recipientSet: (name: string): Key => ({ pk: `ROSTER#${name}`, sk: 'ROSTER' }),
  lastRewriting: (): Key => ({ pk: 'ORGANIZATION', sk: 'MESSAGES_REWRITTEN' }),
};

const BUCKET_DIGITS = 5;
/** Spread, so that this many people can react at the same moment without conflicts. */
const REACTION_PARTS = 64;

/** The name of a direct conversation in keys: hashed when it has too many people for a key. */
export const conversationName = (conversation: string): string =>
  conversation.length <= 200 ? conversation : `H${createHash('sha256').update(conversation).digest('hex')}`;

/** Attribute values of the two message indexes; their sort key is the position. */
export const messageIndex = {
  byConversation: 'byConversation',
  byChannel: 'byChannel',
  topic: (channelId: number, canonicalTopic: string) => `C${channelId}#${canonicalTopic}`,
  direct: (conversation: string) => `D${conversationName(conversation)}`,
  channel: (channelId: number) => `C${channelId}`,
} as const;

/** Partitions of the data attached to messages; a place is a conversation. */
export const messagePartitions = {
  reactionsIn: (place: string) => `REACTIONS#${place}`,
  submessagesIn: (place: string) => `SUBMESSAGES#${place}`,
  /** Earlier texts of a message. */
  textsOf: (messageId: number) => `TEXTS#${messageId}`,
  /** Recent arrivals of moved messages in a channel. */
  arrivalsIn: (channelId: number) => `ARRIVALS#${channelId}`,
};

interface ReactionPlace {
  messageId: number;
  emoji: string;
}

/** The key prefix of the reactions with one emoji to one message. */
export const reactionPrefix = (messageId: number, emoji: string): string =>
  `${idSortKey(messageId)}#${emoji}#`;

/** The key range of the data attached to messages, both ends included. */
export const besideRange = (from: number, to: number): { from: string; to: string } => ({
  from: `${idSortKey(from)}#`,
  to: `${idSortKey(to)}#~`,
});

export const messageKeys = {
  /** Some users' reactions with one emoji to one message. */
  reactions: (place: string, { messageId, emoji }: ReactionPlace, userId: number): Key => ({
    pk: messagePartitions.reactionsIn(place),
    sk: `${reactionPrefix(messageId, emoji)}${String(userId % REACTION_PARTS).padStart(2, '0')}`,
  }),
  /** The submessages of one user to a message. */
  submessages: (place: string, messageId: number, userId: number): Key => ({
    pk: messagePartitions.submessagesIn(place),
    sk: `${idSortKey(messageId)}#${idSortKey(userId)}`,
  }),
  /** The text of a message before the change at a position. */
  earlierText: (messageId: number, position: number): Key => ({
    pk: messagePartitions.textsOf(messageId),
    sk: idSortKey(position),
  }),
  arrival: (channelId: number, position: number): Key => ({
    pk: messagePartitions.arrivalsIn(channelId),
    sk: idSortKey(position),
  }),
  gifPage: (digest: string): Key => ({ pk: `GIFS#${digest}`, sk: 'PAGE' }),
  linkPreview: (digest: string): Key => ({ pk: `PREVIEW#${digest}`, sk: 'PREVIEW' }),
  searchIndex: (): Key => ({ pk: 'SEARCH_INDEX', sk: 'SEARCH_INDEX' }),
  /** A part of the postings of a run of the search index. */
  searchBucket: (runId: number, bucket: number): Key => ({
    pk: `SEARCH_RUN#${runId}`,
    sk: String(bucket).padStart(BUCKET_DIGITS, '0'),
  }),
};
