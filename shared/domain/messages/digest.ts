import { toCanonical } from '#shared/domain/names.ts';
import { conversationKey } from './conversation.ts';
import type { Journey } from './journey.ts';
import type { Message, MessageFacts } from './message.ts';

/** Where messages of a digest went; a topic is spelled as in its newest message. */
type Place = { channelId: number; topic: string; journey?: Journey } | { userIds: number[] };

/** What became of a message since: another place, or none where it was deleted. */
export type DigestChanges = Map<number, Place | 'deleted'>;

/** What decides whether messages are unread, for a range of the log, in some ten bytes a message. */
export interface Digest {
  /** The position before the range. */
  after: number;
  /** The last position of the range; every message between is in the digest. */
  to: number;
  places: Place[];
  /** For each message three numbers: its distance from `after`, its place, and the sender if they have read it (or 0). */
  messages: number[];
}

const NUMBERS_PER_MESSAGE = 3;

export const emptyDigest = (after: number): Digest => ({ after, to: after, places: [], messages: [] });

/** The digest of a range that goes on up to a position, with the messages that the range gains, ascending. */
export function extendDigest(digest: Digest, messages: Message[], to: number): Digest {
  const places = structuredClone(digest.places);
  const indexes = new Map(places.map((place, index) => [placeKey(place), index]));
  const numbers = [...digest.messages];
  for (const message of messages) {
    const place = placeOf(message);
    const key = placeKey(place);
    const index = indexes.get(key) ?? places.length;
    indexes.set(key, index);
    places[index] = place;
    numbers.push(message.messageId - digest.after, index, message.isReadBySender ? message.senderId : 0);
  }
  return { after: digest.after, to, places, messages: numbers };
}

/** The digest without some messages; undefined when it has none of them. */
export function withoutMessages(digest: Digest, messageIds: Set<number>): Digest | undefined {
  const kept: number[] = [];
  for (let at = 0; at < digest.messages.length; at += NUMBERS_PER_MESSAGE) {
    const [distance = 0] = digest.messages.slice(at, at + 1);
    if (!messageIds.has(digest.after + distance))
      kept.push(...digest.messages.slice(at, at + NUMBERS_PER_MESSAGE));
  }
  return kept.length === digest.messages.length ? undefined : { ...digest, messages: kept };
}

/** The digest as it is with what changed since. */
export function withChanges(digest: Digest, changes: DigestChanges): Digest {
  if (changes.size === 0) return digest;
  const places = [...digest.places];
  const indexes = new Map(places.map((place, index) => [placeKey(place), index]));
  const numbers: number[] = [];
  for (let at = 0; at < digest.messages.length; at += NUMBERS_PER_MESSAGE) {
    const [distance = 0, before = 0, reader = 0] = digest.messages.slice(at, at + NUMBERS_PER_MESSAGE);
    const change = changes.get(digest.after + distance);
    if (change === 'deleted') continue;
    const key = change && placeKey(change);
    const index = key === undefined ? before : (indexes.get(key) ?? places.length);
    if (change && index === places.length) places.push(change);
    if (key !== undefined) indexes.set(key, index);
    numbers.push(distance, index, reader);
  }
  return { ...digest, places, messages: numbers };
}

/** The messages of a digest, ascending. */
export function readDigest(digest: Digest): MessageFacts[] {
  const facts: MessageFacts[] = [];
  for (let at = 0; at < digest.messages.length; at += NUMBERS_PER_MESSAGE) {
    const [distance = 0, index = 0, senderId = 0] = digest.messages.slice(at, at + NUMBERS_PER_MESSAGE);
    const place = digest.places[index];
    if (!place) continue;
    const base = { messageId: digest.after + distance, senderId, isReadBySender: senderId !== 0 };
    facts.push(
      'userIds' in place
        ? { ...base, kind: 'direct', recipients: place.userIds.map((id) => ({ id })) }
        : { ...base, kind: 'channel', ...place },
    );
  }
  return facts;
}

export function placeOf(message: Message): Place {
  if (message.kind === 'direct') return { userIds: message.recipients.map(({ id }) => id) };
  const { channelId, topic, journey } = message;
  return { channelId, topic, ...(journey && { journey }) };
}

const placeKey = (place: Place): string =>
  'userIds' in place
    ? `D${conversationKey(place.userIds)}`
    : `C${place.channelId} ${JSON.stringify(place.journey ?? '')} ${toCanonical(place.topic)}`;
