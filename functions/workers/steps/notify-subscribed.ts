import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { listSubscriptionPairs } from '#shared/store/channels/subscriptions.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUser } from '#shared/store/users/users.ts';

/**
 * The notification bot notifies a user to which channels another user subscribed them, as far as they are still
 * subscribed; the step is that user.
 */
export async function notifySubscribed(
  services: Services,
  payload: JobPayloads['notify-subscribed'],
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const row = payload.rows.find(([userId]) => userId === step);
  if (!row) return undefined;
  const [, channelIds] = row;
  const [organization, actor, channels] = await Promise.all([
    getOrganization(table),
    getUser(table, payload.actorId),
    listChannelsById(table, channelIds),
  ]);
  // Read after the names: a user who is still subscribed may know the names.
  const subscriptions = await listSubscriptionPairs(
    table,
    channelIds.map((channelId) => ({ userId: step, channelId })),
  );
  const current = new Set(subscriptions.filter(isSubscribed).map(({ channelId }) => channelId));
  const names = channels.filter(({ channelId }) => current.has(channelId)).map(({ name }) => `#**${name}**`);
  if (names.length === 0) return undefined;
  const say = await textsFor(services, step);
  const person = `@**${actor.fullName}|${actor.userId}**`;
  const content =
    names.length === 1
      ? say('channels.subscribedYouToOne', { person, channel: names.join() })
      : [say('channels.subscribedYouToMany', { person }), '', ...names.map((name) => `* ${name}`)].join('\n');
  return { message: await composeBotDirect(services, organization.notificationBotId, step, content) };
}
