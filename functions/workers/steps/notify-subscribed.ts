import type { Change } from '#shared/domain/change.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { listSubscriptionPairs } from '#shared/store/subscriptions.ts';
import { getUser } from '#shared/store/users.ts';

interface Payload {
  actorId: number;
  rows: [userId: number, channelIds: number[]][];
}

/**
 * The notification bot tells a person which channels someone else subscribed them to, as far as they are still in them;
 * the step is that person.
 */
export async function notifySubscribed(
  services: Services,
  payload: Payload,
  step: number,
): Promise<Change | undefined> {
  const { table } = services;
  const channelIds = payload.rows.find(([userId]) => userId === step)?.[1] ?? [];
  const [organization, actor, channels] = await Promise.all([
    getOrganization(table),
    getUser(table, payload.actorId),
    listChannelsById(table, channelIds),
  ]);
  // Read after the names: a person who is in a channel by then may know what it was called.
  const subscriptions = await listSubscriptionPairs(
    table,
    channelIds.map((channelId) => ({ userId: step, channelId })),
  );
  const current = new Set(subscriptions.filter(isSubscribed).map(({ channelId }) => channelId));
  const names = channels
    .filter(({ channelId }) => current.has(channelId))
    .sort((a, b) => a.channelId - b.channelId)
    .map(({ name }) => `#**${name}**`);
  if (names.length === 0) return undefined;
  const who = `@**${actor.fullName}|${actor.userId}** subscribed you to the`;
  const content =
    names.length === 1
      ? `${who} channel ${names[0]}.`
      : `${who} following channels:\n\n${names.map((name) => `* ${name}`).join('\n')}`;
  return { message: await composeBotDirect(services, organization.notificationBotId, step, content) };
}
