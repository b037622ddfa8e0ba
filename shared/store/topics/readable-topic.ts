import { limits } from '#shared/domain/channels/channel.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { arrivalOf } from '#shared/domain/messages/moving/move-history.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { findTopicSummary, listTopicSummaries, type TopicSummary } from '#shared/store/channels/channels.ts';
import { toMessage } from '#shared/store/messages/messages.ts';
import { parts, walkPartitions } from '#shared/store/messages/partition-walk.ts';
import { positionSortKey } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { topicIndex } from './topic-messages.ts';

/**
 * Whether a channel that the user may read has a readable message in a topic. One read; if history is hidden
 * from new subscribers, perhaps one query per interval of the user's subscription.
 */
export async function hasReadableTopic(table: Table, view: ChannelView, topic: string): Promise<boolean> {
  if ([...topic].length > limits.topic) return false;
  const head = await findTopicSummary(table, view.channel.channelId, topic);
  return head !== undefined && (await findReadable(table, view, head)) !== undefined;
}

/** The topics of a channel with messages that the user may read, each with the newest of these. */
export async function listReadableTopics(table: Table, view: ChannelView): Promise<TopicSummary[]> {
  const summaries = await listTopicSummaries(table, view.channel.channelId);
  const readable = await mapConcurrently(summaries, (head) => findReadable(table, view, head));
  return readable.filter((head) => head !== undefined);
}

/**
 * The topic summary as a reader of the channel sees it; reads nothing if they may read the newest message.
 */
async function findReadable(
  table: Table,
  view: ChannelView,
  head: TopicSummary,
): Promise<TopicSummary | undefined> {
  if (view.channel.isHistoryPublic) return head;
  const intervals = view.subscription?.intervals ?? [];
  const [first] = intervals;
  const last = intervals.at(-1);
  if (!first || !last) return undefined;
  const [since, until] = last;
  if (until === null && head.maxMessageId > since) return head;
  return (head.arrivedAt ?? 0) > first[0]
    ? findByArrivals(table, view, head)
    : findByIntervals(table, view, head);
}

/** The newest readable message of a topic into which messages were moved: their arrivals decide, not their positions. */
async function findByArrivals(
  table: Table,
  { channel: { channelId }, subscription }: ChannelView,
  { topic, maxMessageId }: TopicSummary,
): Promise<TopicSummary | undefined> {
  const stretch = { from: 1, to: maxMessageId, isBackwards: true };
  for await (const { messages } of walkPartitions(table, parts.topic(channelId, topic), stretch, () => 1)) {
    const theirs = messages.find(
      (message) => message.kind === 'channel' && wasSubscribedAt(subscription, arrivalOf(message)),
    );
    if (theirs?.kind === 'channel') return { topic: theirs.topic, maxMessageId: theirs.messageId };
  }
  return undefined;
}

/** The newest message of a topic within an interval of the subscription. */
async function findByIntervals(
  table: Table,
  { channel: { channelId }, subscription }: ChannelView,
  { topic, maxMessageId }: TopicSummary,
): Promise<TopicSummary | undefined> {
  for (const [from, to] of (subscription?.intervals ?? []).toReversed()) {
    if (maxMessageId <= from) continue;
    const { items } = await table.page({
      ...topicIndex({ channelId, topic }),
      from: positionSortKey(from + 1),
      to: positionSortKey(Math.min(maxMessageId, (to ?? Number.POSITIVE_INFINITY) - 1)),
      backwards: true,
      limit: 1,
    });
    const [message] = items.map(toMessage);
    if (message?.kind === 'channel') return { topic: message.topic, maxMessageId: message.messageId };
  }
  return undefined;
}
