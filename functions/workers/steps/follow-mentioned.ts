import { followByMention } from '#shared/actions/topics/raise-topic.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';

/**
 * A mentioned user follows the topic if they received the message and their settings say so, unless they have
 * chosen a policy since; the step is that user.
 */
export async function followMentioned(
  services: Services,
  place: JobPayloads['follow-mentioned'],
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
