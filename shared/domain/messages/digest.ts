import { toCanonical } from '#shared/domain/names.ts';
import { conversationKey } from './conversation.ts';
import type { Journey } from './journey.ts';
import type { Mentions } from './mentions.ts';
import type { Message, MessageFacts } from './message.ts';

/** Where messages of a digest went; a topic is spelled as in its newest message. */
type Place = { channelId: number; topic: string; journey?: Journey } | { userIds: number[] };

/** What became of a message since: where it is and whom it mentions, or none where it was deleted. */
type DigestChange = (Place & { mentions?: Mentions }) | 'deleted';
export type DigestChanges = Map<number, DigestChange>;

/** What decides whether messages are unread, for a range of the log, in some ten bytes a message. */
export interface Digest {
  /** The position before the range. */
  after: number;
  /** The last position of the range; every message between is in the digest. */
  to: number;
  places: Place[];
  /** For each message three numbers: its distance from `after`, its place, and the sender if they have read it (or 0). */
  messages: number[];
  /** Whom messages mention, by their distance from `after`; few mention anybody. */
  mentions?: Record<string, Mentions>;
}

const NUMBERS_PER_MESSAGE = 3;

export const emptyDigest = (after: number): Digest => ({ after, to: after, places: [], messages: [] });

/** The digest of a range that goes on up to a position, with the messages that the range gains, ascending. */
export function extendDigest(digest: Digest, messages: Message[], to: number): Digest {
  const places = structuredClone(digest.places);
  const indexes = new Map(places.map((place, index) => [placeKey(place), index]));
  const numbers = [...digest.messages];
  const mentions = { ...digest.mentions };
  for (const message of messages) {
    const place = placeOf(message);
    const key = placeKey(place);
    const index = indexes.get(key) ?? places.length;
    indexes.set(key, index);
    places[index] = place;
    const distance = message.messageId - digest.after;
    numbers.push(distance, index, message.isReadBySender ? message.senderId : 0);
    if (message.mentions) mentions[distance] = message.mentions;
  }
  return { after: digest.after, to, places, messages: numbers, ...withMentions(mentions) };
}

const withMentions = (mentions: Record<string, Mentions>): Pick<Digest, 'mentions'> =>
  Object.keys(mentions).length > 0 ? { mentions } : {};

/** The digest as it is with what changed since. */
export function withChanges(digest: Digest, changes: DigestChanges): Digest {
  if (changes.size === 0) return digest;
  const places = [...digest.places];
  const indexes = new Map(places.map((place, index) => [placeKey(place), index]));
  const numbers: number[] = [];
  const mentions = { ...digest.mentions };
  for (let at = 0; at < digest.messages.length; at += NUMBERS_PER_MESSAGE) {
    const [distance = 0, before = 0, reader = 0] = digest.messages.slice(at, at + NUMBERS_PER_MESSAGE);
    const change = changes.get(digest.after + distance);
    if (change) delete mentions[distance];
    if (change === 'deleted') continue;
    if (change?.mentions) mentions[distance] = change.mentions;
    const key = change && placeKey(change);
    const index = key === undefined ? before : (indexes.get(key) ?? places.length);
    if (change && index === places.length) places.push(placeIn(change));
    if (key !== undefined) indexes.set(key, index);
    numbers.push(distance, index, reader);
  }
  const { mentions: _before, ...rest } = digest;
  return { ...rest, places, messages: numbers, ...withMentions(mentions) };
}

/** The messages of a digest, ascending. */
export function readDigest(digest: Digest): MessageFacts[] {
  const facts: MessageFacts[] = [];
  for (let at = 0; at < digest.messages.length; at += NUMBERS_PER_MESSAGE) {
    const [distance = 0, index = 0, senderId = 0] = digest.messages.slice(at, at + NUMBERS_PER_MESSAGE);
    const place = digest.places[index];
    if (!place) continue;
    const mentions = digest.mentions?.[distance];
    const base = {
      messageId: digest.after + distance,
      senderId,
      isReadBySender: senderId !== 0,
      ...(mentions && { mentions }),
    };
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

/** What a digest notes of a message that changed. */
export const changeOf = (message: Message): DigestChange => ({
  ...placeOf(message),
  ...(message.mentions && { mentions: message.mentions }),
});

function placeIn({ mentions: _mentions, ...place }: Exclude<DigestChange, 'deleted'>): Place {
  return place as Place;
}

const placeKey = (place: Place): string =>
  'userIds' in place
    ? `D${conversationKey(place.userIds)}`
    : `C${place.channelId} ${JSON.stringify(place.journey ?? '')} ${toCanonical(place.topic)}`;
