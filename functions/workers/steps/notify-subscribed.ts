import type { Change } from '#shared/domain/change.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getUser } from '#shared/store/users.ts';

interface Payload {
  actorId: number;
  rows: [userId: number, channelIds: number[]][];
}

/** The notification bot tells a person which channels someone else subscribed them to; the step is that person. */
export async function notifySubscribed(services: Services, payload: Payload, step: number): Promise<Change> {
  const channelIds = payload.rows.find(([userId]) => userId === step)?.[1] ?? [];
  const [organization, actor, channels] = await Promise.all([
    getOrganization(services.table),
    getUser(services.table, payload.actorId),
    listChannelsById(services.table, channelIds),
  ]);
  const names = channels.sort((a, b) => a.channelId - b.channelId).map(({ name }) => `#**${name}**`);
  const who = `@**${actor.fullName}|${actor.userId}** subscribed you to the`;
  const content =
    names.length === 1
      ? `${who} channel ${names[0]}.`
      : `${who} following channels:\n\n${names.map((name) => `* ${name}`).join('\n')}`;
  return { message: await composeBotDirect(services, organization.notificationBotId, step, content) };
}
