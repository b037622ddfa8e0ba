import type { Change } from '#shared/domain/change.ts';
import type { TopicView } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import {
  followsFrom,
  type RaisedPolicy,
  type TopicAction,
  topicActions,
} from '#shared/domain/topics/automation.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findTopicSummary } from '#shared/store/channels/channels.ts';
import type { Table } from '#shared/table/table.ts';

/** A raised policy for a topic. */
export interface RaisedTopic {
  policy: RaisedPolicy;
  change: Change;
}

/**
 * How sending a message changes the sender's policy for the topic. Half a read unit if the topic exists and
 * the account's settings do not need more.
 */
export async function raiseBySending(
  services: Services,
  sender: User,
  topic: TopicView,
): Promise<RaisedTopic | undefined> {
  const follow = followsFrom(sender);
  const isMuted = topic.subscription?.isMuted ?? false;
  if (sender.isBot || (follow > topicActions.begin && !isMuted)) return undefined;
  const isNew = follow === topicActions.begin || isMuted ? await isNewTopic(services, topic) : false;
  if (follow === topicActions.begin && !isMuted && !isNew) return undefined;
  return raise(services, sender, topic, isNew ? topicActions.begin : topicActions.send);
}

/** How a reaction changes the policy. Reads nothing unless the user's settings require it. */
export async function raiseByReacting(
  services: Services,
  user: User,
  topic: TopicView,
): Promise<RaisedTopic | undefined> {
  const isMuted = topic.subscription?.isMuted ?? false;
  if (user.isBot || (followsFrom(user) > topicActions.react && !isMuted)) return undefined;
  return raise(services, user, topic, topicActions.react);
}

async function raise(services: Services, user: User, topic: TopicView, action: TopicAction) {
  const { raiseTopic } = await import('./raise-topic.ts');
  return raiseTopic(services, user, topic, action);
}

/** Recently used topics, cached per function because people write repeatedly in the same topics. */
const seen = new WeakMap<Table, Map<string, number>>();
const MEMORY_MS = 60_000;
const MAX_SEEN = 10_000;

async function isNewTopic({ table, clock }: Services, { channel, topic }: TopicView): Promise<boolean> {
  const known = seen.get(table) ?? new Map<string, number>();
  seen.set(table, known);
  const name = `${channel.channelId} ${toCanonical(topic)}`;
  if ((known.get(name) ?? Number.NEGATIVE_INFINITY) > clock.nowMs() - MEMORY_MS) return false;
  const isNew = (await findTopicSummary(table, channel.channelId, topic, { eventually: true })) === undefined;
  if (known.size >= MAX_SEEN) known.clear();
  if (!isNew) known.set(name, clock.nowMs());
  return isNew;
}
