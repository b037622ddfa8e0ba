import type { Change } from '#shared/domain/change.ts';
import type { TopicPlace } from '#shared/domain/messages/move.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { getCurrentUser } from '#shared/log/current-user.ts';
import { followByMention } from '#shared/log/raise-topic.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findSubscription } from '#shared/store/subscriptions.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';

/**
 * A person whom a message names follows its topic, if they got it and want that, unless they have decided about the topic
 * since; the step is that person.
 */
export async function followMentioned(
  services: Services,
  place: TopicPlace,
  step: number,
  position: number,
): Promise<Change | undefined> {
  const { table } = services;
  const [user, subscription] = await Promise.all([
    getCurrentUser(services, step),
    findSubscription(table, step, place.channelId),
  ]);
  if (user.isBot || !user.isActive || !isSubscribed(subscription)) return undefined;
  const settings = await getUserSettings(table, user);
  return settings.automatically_follow_topics_where_mentioned
    ? followByMention(services, user, place, position)
    : undefined;
}
