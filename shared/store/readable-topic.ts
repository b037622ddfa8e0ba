import { limits } from '#shared/domain/channels/channel.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { arrivalOf } from '#shared/domain/messages/journey.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { keys, positionSortKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listTopicHeads, type TopicHead, toTopicHead } from './channels.ts';
import { toMessage } from './messages.ts';
import { parts, walkPartitions } from './partition-walk.ts';
import { topicIndex } from './topic-messages.ts';

/**
 * Whether a channel that a user may read has a message in a topic that they may read. One read, and where older
 * messages are not for newcomers perhaps one query for each time that the user was subscribed.
 */
export async function hasReadableTopic(table: Table, view: ChannelView, topic: string): Promise<boolean> {
  if ([...topic].length > limits.topic) return false;
  const item = await table.find(keys.topic(view.channel.channelId, toCanonical(topic)));
  return item !== undefined && (await findReadable(table, view, toTopicHead(item))) !== undefined;
}

/** The topics of a channel in which the user may read something, each with the newest message that they may read. */
export async function listReadableTopics(table: Table, view: ChannelView): Promise<TopicHead[]> {
  const heads = await listTopicHeads(table, view.channel.channelId);
  const readable = await mapConcurrently(heads, (head) => findReadable(table, view, head));
  return readable.filter((head) => head !== undefined);
}

/** The head of a topic as it is for a user who may read the channel; nothing is read where the newest message is theirs. */
async function findReadable(
  table: Table,
  { channel: { channelId, isHistoryPublic }, subscription }: ChannelView,
  head: TopicHead,
): Promise<TopicHead | undefined> {
  if (isHistoryPublic) return head;
  const { topic, maxMessageId, arrivedAt = 0 } = head;
  const [first, ...later] = subscription?.intervals ?? [];
  if (!first) return undefined;
  const [since, until] = later.at(-1) ?? first;
  if (until === null && maxMessageId > since) return head;
  if (arrivedAt > first[0]) {
    const stretch = { from: 1, to: maxMessageId, isBackwards: true };
    for await (const { messages } of walkPartitions(table, parts.topic(channelId, topic), stretch, () => 1)) {
      const theirs = messages.find(
        (one) => one.kind === 'channel' && wasSubscribedAt(subscription, arrivalOf(one)),
      );
      if (theirs?.kind === 'channel') return { topic: theirs.topic, maxMessageId: theirs.messageId };
    }
    return undefined;
  }
  for (const [from, to] of [first, ...later].reverse()) {
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
