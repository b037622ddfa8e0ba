import { mayRead } from '#shared/domain/messages/access.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import {
  MAX_PARTICIPANTS,
  placeKeyOf,
  type RecentConversation,
  RecentConversations,
} from '#shared/domain/messages/recent-conversations.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { wasJustRewritten } from '#shared/store/log/rewriting.ts';
import { COST_OF_BLOCK_SUMMARY, walkFacts } from '#shared/store/messages/facts-walk.ts';
import { toMessage } from '#shared/store/messages/messages.ts';
import { topicIndex } from '#shared/store/topics/topic-messages.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { positionSortKey } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { type FoundMessage, findInOrder, type Search } from './message-search.ts';

/** A conversation with its newest message. */
export interface FoundConversation extends RecentConversation {
  found: FoundMessage;
}

export interface ConversationPage {
  conversations: FoundConversation[];
  /** Older conversations have their newest message before this one; undefined at the end. */
  nextBefore: number | undefined;
}

/** A page has at most this many bytes of stored messages. */
const MAX_BYTES = 1_000_000;
/** The cost of the walk that finds conversations, in log entries: 50 blocks. */
const MAX_COST = 50 * COST_OF_BLOCK_SUMMARY;
/** Participants are searched for in so many blocks, the last one with a listed conversation included. */
const EXTRA_COST = 6 * COST_OF_BLOCK_SUMMARY;
/** How many conversations of a walk are checked for newer messages. */
const MAX_CHECKS = 500;
const CHECKS_AT_ONCE = 100;
/** Messages of a topic that are examined to find a readable one among newer messages. */
const MAX_NEWER = 20;

/**
 * The caller's conversations whose newest message is older than `before`, newest first. There is no list of them in the
 * table, because sending would have to keep it for each reader. Block summaries name the place of each message in some
 * ten bytes, so the log is read through them from its end: 50 000 positions at most, and a page may therefore be shorter
 * than `limit` although there are older conversations. Participants are the senders in the range that was read and
 * in 5 000 further positions.
 */
export async function findRecentConversations(
  services: Services,
  search: Search,
  { before = Number.POSITIVE_INFINITY, limit }: { before: number | undefined; limit: number },
): Promise<ConversationPage> {
  const walked = await walk(services, search, { before, limit });
  const ids = walked.conversations.map(({ newest }) => newest.messageId);
  const { found, examined } = await findInOrder(search, ids, MAX_BYTES);
  const byId = new Map(found.map((conversation) => [conversation.message.messageId, conversation]));
  const conversations = walked.conversations.flatMap((conversation): FoundConversation[] => {
    const hit = byId.get(conversation.newest.messageId);
    // A message may have been moved since the walk; an event reports that.
    const isThere = hit && placeKeyOf(hit.message) === placeKeyOf(conversation.newest);
    return isThere ? [{ ...conversation, found: hit }] : [];
  });
  return { conversations, nextBefore: examined < ids.length ? ids[examined - 1] : walked.nextBefore };
}

interface Walked {
  conversations: RecentConversation[];
  nextBefore: number | undefined;
}

async function walk(
  { table, clock }: Pick<Services, 'table' | 'clock'>,
  search: Search,
  { before, limit }: { before: number; limit: number },
): Promise<Walked> {
  const [end, consistent, listed] = await Promise.all([
    readCounter(table),
    wasJustRewritten(table, clock),
    openList(search),
  ]);
  const finding = new Finding(search, before, limit);
  const conversations = new RecentConversations(search.caller.userId);
  let cost = 0;
  let extraCost = 0;
  for await (const page of walkFacts(table, Math.min(end, before - 1), { consistent })) {
    const begun = conversations.take(await listed(page.facts));
    if (!finding.isStopped) await finding.add(begun, page.from);
    cost += page.cost;
    if (cost >= MAX_COST) finding.stop();
    if (finding.isStopped) extraCost += page.cost;
    if (finding.isStopped && (extraCost >= EXTRA_COST || finding.knowsParticipants)) break;
  }
  return { conversations: finding.accepted, nextBefore: finding.nextBefore };
}

/** Accepts conversations until there are enough. */
class Finding {
  readonly accepted: RecentConversation[] = [];
  isStopped = false;
  nextBefore: number | undefined;
  readonly #search: Search;
  readonly #before: number;
  readonly #limit: number;
  #checks = 0;
  #reached = 0;

  constructor(search: Search, before: number, limit: number) {
    this.#search = search;
    this.#before = before;
    this.#limit = limit;
  }

  /** Takes the conversations that a page down to a position began. */
  async add(begun: RecentConversation[], from: number): Promise<void> {
    this.#reached = from;
    for (let at = 0; at < begun.length && !this.isStopped; at += CHECKS_AT_ONCE) {
      const candidates = begun.slice(at, at + CHECKS_AT_ONCE);
      const isNew = await this.#areNew(candidates);
      for (const [n, candidate] of candidates.entries()) {
        if (!isNew[n]) continue;
        this.accepted.push(candidate);
        if (this.accepted.length === this.#limit) return this.stop(candidate.newest.messageId);
      }
      if (this.#checks >= MAX_CHECKS) this.stop(candidates.at(-1)?.newest.messageId);
    }
  }

  /** Ends the search; the next page begins before a message, or before the last page of the walk. */
  stop(nextBefore = this.#reached): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.nextBefore = nextBefore > 1 ? nextBefore : undefined;
  }

  /** Whether a further walk would not change the participants. */
  get knowsParticipants(): boolean {
    return this.accepted.every(({ senderIds }) => senderIds.length >= MAX_PARTICIPANTS);
  }

  /** Whether each conversation has no readable message at or after the beginning of the page. */
  async #areNew(candidates: RecentConversation[]): Promise<boolean[]> {
    if (this.#before === Number.POSITIVE_INFINITY) return candidates.map(() => true);
    this.#checks += candidates.length;
    const { table, caller } = this.#search;
    const checked = candidates.map(({ newest }) => ({ newest, key: summaryKey(newest, caller.userId) }));
    const items = await table.findMany(
      checked.map(({ key }) => key),
      { eventually: true },
    );
    const maxIds = new Map(items.map(({ pk, sk, maxMessageId }) => [`${pk} ${sk}`, Number(maxMessageId)]));
    return mapConcurrently(checked, async ({ newest, key }) => {
      const maxId = maxIds.get(`${key.pk} ${key.sk}`) ?? 0;
      return maxId < this.#before || !(await hasNewer(this.#search, newest, this.#before, maxId));
    });
  }
}

const summaryKey = (message: MessageFacts, userId: number): Key =>
  message.kind === 'channel'
    ? channelKeys.topic(message.channelId, toCanonical(message.topic))
    : userKeys.conversation(userId, conversationKey(message.recipients.map(({ id }) => id)));

/** Whether the caller may read a message of the conversation between two ids. Reads only if history is protected. */
async function hasNewer(
  { table, caller, views }: Search,
  message: MessageFacts,
  from: number,
  to: number,
): Promise<boolean> {
  if (message.kind === 'direct') return true;
  const view = views.get(message.channelId);
  const since = view?.subscription?.intervals.at(-1)?.[0] ?? 0;
  if (view?.channel.isHistoryPublic || to > since) return true;
  const { items } = await table.page({
    index: topicIndex(message).index,
    partition: topicIndex(message).partition,
    from: positionSortKey(from),
    to: positionSortKey(to),
    backwards: true,
    limit: MAX_NEWER,
  });
  return items.some((item) => {
    const newer = toMessage(item);
    return newer !== undefined && mayRead(caller, newer, view);
  });
}

/** Selects the messages of direct conversations and of subscribed channels that are not archived. */
async function openList(search: Search): Promise<(facts: MessageFacts[]) => Promise<MessageFacts[]>> {
  const { table, caller, views } = search;
  const subscribed = new Map<number, Subscription>(
    (await listSubscriptions(table, caller.userId))
      .filter(isSubscribed)
      .map((subscription) => [subscription.channelId, subscription]),
  );
  const isListed = (message: MessageFacts): boolean => {
    if (message.kind === 'direct') return mayRead(caller, message, undefined);
    const view = views.get(message.channelId);
    return view !== undefined && !view.channel.isArchived && mayRead(caller, message, view);
  };
  return async (facts) => {
    const channelIds = facts.flatMap((message) => (message.kind === 'channel' ? [message.channelId] : []));
    const missing = [...new Set(channelIds)].filter((id) => subscribed.has(id) && !views.has(id));
    for (const channel of await listChannelsById(table, missing))
      views.set(channel.channelId, { channel, subscription: subscribed.get(channel.channelId) });
    return facts.filter(isListed);
  };
}
