import { createHash } from 'node:crypto';
import { idSortKey, type Key } from './key.ts';

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
