import { toCanonical } from '#shared/domain/names.ts';
import { conversationKey } from './conversation.ts';
import type { Mentions } from './mentions.ts';
import type { Message, MessageFacts } from './message.ts';
import type { MoveHistory } from './moving/move-history.ts';

/** The place of a summarized message; a topic is spelled as in its newest message. */
type Place = { channelId: number; topic: string; journey?: MoveHistory } | { userIds: number[] };

/** A later change of a message: its place and mentions, or its deletion. */
type BlockSummaryChange = (Place & { mentions?: Mentions }) | 'deleted';
export type BlockSummaryChanges = Map<number, BlockSummaryChange>;

/** What decides whether messages are unread, for a range of the log, in about ten bytes per message. */
export interface BlockSummary {
  /** The position before the range. */
  after: number;
  /** The last position of the range; the summary holds every message in it. */
  to: number;
  places: Place[];
  /**
   * Three numbers per message: its distance from `after`, its place, and the sender if they have read it (or
   * 0).
   */
  messages: number[];
  /**
   * Two numbers per message that its sender has not read, as programs send them: its distance from `after`, and the
   * sender. Earlier versions of the service wrote none.
   */
  otherSenders?: number[];
  /** Mentions by the message's distance from `after`; most messages have none. */
  mentions?: Record<string, Mentions>;
}

const NUMBERS_PER_MESSAGE = 3;

/** Represents a sender that a summary lacks. */
export const UNKNOWN_SENDER = 0;

export const emptyBlockSummary = (after: number): BlockSummary => ({
  after,
  to: after,
  places: [],
  messages: [],
});

/** Extends a summary to a later position with the new messages, ascending. */
export function extendBlockSummary(digest: BlockSummary, messages: Message[], to: number): BlockSummary {
  const places = new Places(structuredClone(digest.places));
  const numbers = [...digest.messages];
  const others = [...(digest.otherSenders ?? [])];
  const mentions = { ...digest.mentions };
  for (const message of messages) {
    const distance = message.messageId - digest.after;
    const index = places.replace(placeOf(message));
    numbers.push(distance, index, message.isReadBySender ? message.senderId : UNKNOWN_SENDER);
    if (!message.isReadBySender) others.push(distance, message.senderId);
    if (message.mentions) mentions[distance] = message.mentions;
  }
  return {
    ...{ after: digest.after, to, places: places.list, messages: numbers },
    ...(others.length > 0 && { otherSenders: others }),
    ...withMentions(mentions),
  };
}

/** The places of a summary, each listed once. */
class Places {
  readonly list: Place[];
  readonly #indexes: Map<string, number>;

  constructor(list: Place[]) {
    this.list = list;
    this.#indexes = new Map(list.map((place, index) => [placeKey(place), index]));
  }

  /** The index of a place, which is added if it is new. */
  indexOf(place: Place): number {
    const key = placeKey(place);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.list.length);
    return this.list.push(place) - 1;
  }

  /** The same, with the spelling of this place. */
  replace(place: Place): number {
    const index = this.indexOf(place);
    this.list[index] = place;
    return index;
  }
}

const withMentions = (mentions: Record<string, Mentions>): Pick<BlockSummary, 'mentions'> =>
  Object.keys(mentions).length > 0 ? { mentions } : {};

/** Applies later changes to a summary. */
export function withChanges(digest: BlockSummary, changes: BlockSummaryChanges): BlockSummary {
  if (changes.size === 0) return digest;
  const places = new Places([...digest.places]);
  const numbers: number[] = [];
  const mentions = { ...digest.mentions };
  for (let at = 0; at < digest.messages.length; at += NUMBERS_PER_MESSAGE) {
    const [distance = 0, before = 0, reader = 0] = digest.messages.slice(at, at + NUMBERS_PER_MESSAGE);
    const change = changes.get(digest.after + distance);
    if (change) delete mentions[distance];
    if (change === 'deleted') continue;
    if (change?.mentions) mentions[distance] = change.mentions;
    numbers.push(distance, change ? places.indexOf(placeIn(change)) : before, reader);
  }
  const { mentions: _before, ...rest } = digest;
  return { ...rest, places: places.list, messages: numbers, ...withMentions(mentions) };
}

/** What frozen summaries say, by their messages. */
const known = new WeakMap<number[], MessageFacts[]>();

/** The messages of a summary, ascending. A process that keeps a summary freezes it, so it is read once. */
export function readBlockSummary(digest: BlockSummary): MessageFacts[] {
  const facts = known.get(digest.messages) ?? listFactsOf(digest);
  if (Object.isFrozen(digest.messages)) known.set(digest.messages, facts);
  return facts;
}

function listFactsOf(digest: BlockSummary): MessageFacts[] {
  const { after, messages, mentions } = digest;
  const others = readOtherSenders(digest);
  const places = digest.places.map(factsOf);
  const facts: MessageFacts[] = [];
  for (let at = 0; at < messages.length; at += NUMBERS_PER_MESSAGE) {
    const distance = messages[at] ?? 0;
    const readerId = messages[at + 2] ?? UNKNOWN_SENDER;
    const isReadBySender = readerId !== UNKNOWN_SENDER;
    const senderId = isReadBySender ? readerId : (others.get(distance) ?? UNKNOWN_SENDER);
    const place = places[messages[at + 1] ?? 0];
    if (!place) continue;
    const fact = { ...place, messageId: after + distance, senderId, isReadBySender };
    const calls = mentions?.[distance];
    facts.push(calls ? { ...fact, mentions: calls } : fact);
  }
  return facts;
}

/** The senders of messages that these have not read, by distance. */
function readOtherSenders({ otherSenders = [] }: BlockSummary): ReadonlyMap<number, number> {
  const senders = new Map<number, number>();
  for (let at = 0; at < otherSenders.length; at += 2)
    senders.set(otherSenders[at] ?? 0, otherSenders[at + 1] ?? UNKNOWN_SENDER);
  return senders;
}

/** What all messages of a place have in common. */
const factsOf = (place: Place) =>
  'userIds' in place
    ? { kind: 'direct' as const, recipients: place.userIds.map((id) => ({ id })) }
    : { kind: 'channel' as const, ...place };

export function placeOf(message: Message): Place {
  if (message.kind === 'direct') return { userIds: message.recipients.map(({ id }) => id) };
  const { channelId, topic, journey } = message;
  return { channelId, topic, ...(journey && { journey }) };
}

/** The summary's record of a changed message. */
export const changeOf = (message: Message): BlockSummaryChange => ({
  ...placeOf(message),
  ...(message.mentions && { mentions: message.mentions }),
});

function placeIn({ mentions: _mentions, ...place }: Exclude<BlockSummaryChange, 'deleted'>): Place {
  return place as Place;
}

const placeKey = (place: Place): string =>
  'userIds' in place
    ? `D${conversationKey(place.userIds)}`
    : `C${place.channelId} ${JSON.stringify(place.journey)} ${toCanonical(place.topic)}`;
