import type { Change } from '#shared/domain/change.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { deeds, followsFrom, type RaisedPolicy, type TopicDeed } from '#shared/domain/topics/automation.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** A topic in which somebody does something. */
export interface TopicOfDeed {
  view: ChannelView;
  topic: string;
}

/** What somebody wants of a topic by what they do there. */
export interface RaisedTopic {
  policy: RaisedPolicy;
  change: Change;
}

/**
 * What a message makes of its sender's preference for the topic. Half a read unit where a topic is not new, and nobody asked for
 * more; the account says whether they did.
 */
export async function raiseBySending(
  services: Services,
  sender: User,
  place: TopicOfDeed,
): Promise<RaisedTopic | undefined> {
  const follow = followsFrom(sender);
  const isMuted = place.view.subscription?.isMuted ?? false;
  if (sender.isBot || (follow > deeds.begin && !isMuted)) return undefined;
  const isNew = follow === deeds.begin || isMuted ? await isNewTopic(services, place) : false;
  if (follow === deeds.begin && !isMuted && !isNew) return undefined;
  return raise(services, sender, place, isNew ? deeds.begin : deeds.send);
}

/** What a reaction makes of it. Nothing is read of those who want nothing of it. */
export async function raiseByReacting(
  services: Services,
  user: User,
  place: TopicOfDeed,
): Promise<RaisedTopic | undefined> {
  const isMuted = place.view.subscription?.isMuted ?? false;
  if (user.isBot || (followsFrom(user) > deeds.react && !isMuted)) return undefined;
  return raise(services, user, place, deeds.react);
}

async function raise(services: Services, user: User, place: TopicOfDeed, deed: TopicDeed) {
  const { raiseTopic } = await import('./raise-topic.ts');
  return raiseTopic(services, user, place, deed);
}

/** Topics that were there a moment ago, as each function remembers them: people write again where they have just written. */
const seen = new WeakMap<Table, Map<string, number>>();
const MEMORY_MS = 60_000;
const MAX_SEEN = 10_000;

async function isNewTopic({ table, clock }: Services, { view, topic }: TopicOfDeed): Promise<boolean> {
  const key = keys.topic(view.channel.channelId, toCanonical(topic));
  const known = seen.get(table) ?? new Map<string, number>();
  seen.set(table, known);
  const name = `${key.pk} ${key.sk}`;
  if ((known.get(name) ?? Number.NEGATIVE_INFINITY) > clock.nowMs() - MEMORY_MS) return false;
  const isNew = (await table.find(key, { eventually: true })) === undefined;
  if (known.size >= MAX_SEEN) known.clear();
  if (!isNew) known.set(name, clock.nowMs());
  return isNew;
}
