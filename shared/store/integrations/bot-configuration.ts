import type { BotConfiguration } from '#shared/domain/integrations/bot-integration.ts';
import { botKeys, botPartitions } from '#shared/table/keys/bots.ts';
import { type Item, recordOf, type Table, type Write } from '#shared/table/table.ts';

/** Empty if the bot has none. */
export async function getBotConfiguration(table: Table, botId: number): Promise<BotConfiguration> {
  const item = await table.find(botKeys.configuration(botId));
  return (item?.values as BotConfiguration | undefined) ?? {};
}

/** Replaces the configuration; nothing without one. */
export const configurationWrites = (botId: number, values: BotConfiguration | undefined): Write[] =>
  values === undefined ? [] : [{ kind: 'put', item: { ...botKeys.configuration(botId), values } }];

/** How a request of a sender ended. */
export interface WebhookDelivery {
  atMs: number;
  integration: string;
  /** The events of the delivery, as filters name them. */
  events: string[];
  /** How many messages were sent. */
  messages: number;
  /** The text of the refusal; absent if all went well. */
  error?: string;
}

/** The last deliveries are shown to the owner of a bot this long. */
const KEPT_SECONDS = 7 * 24 * 3600;
const MAX_SHOWN = 20;

/** Best effort: a lost line of the list does no harm. */
export async function keepWebhookDelivery(
  table: Table,
  botId: number,
  delivery: WebhookDelivery,
  id: string,
): Promise<void> {
  const expiresAtSeconds = Math.floor(delivery.atMs / 1000) + KEPT_SECONDS;
  const item: Item = { ...delivery, expiresAtSeconds };
  const key = botKeys.webhookDelivery(botId, delivery.atMs, id);
  await table.write({ kind: 'put', item: { ...item, ...key } }, { mayBeLost: true });
}

/** The last deliveries, newest first. */
export async function listWebhookDeliveries(table: Table, botId: number): Promise<WebhookDelivery[]> {
  const partition = botPartitions.webhookDeliveriesOf(botId);
  const { items } = await table.page({ partition, backwards: true, limit: MAX_SHOWN });
  return items.map((item) => recordOf<WebhookDelivery>(item));
}
