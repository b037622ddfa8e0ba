import { healthy, type WebhookHealth } from '#shared/domain/webhooks/health.ts';
import { botKeys } from '#shared/table/keys/bots.ts';
import type { Table, Write } from '#shared/table/table.ts';

/** The recent failures of a bot's server. One read. */
export async function getWebhookHealth(table: Table, botId: number): Promise<WebhookHealth> {
  const item = await table.find(botKeys.webhookHealth(botId));
  if (!item) return healthy;
  const { failedAtSeconds, pausedUntilSeconds, revision } = item;
  return {
    failedAtSeconds: failedAtSeconds as number[],
    pausedUntilSeconds: Number(pausedUntilSeconds),
    revision: Number(revision),
  };
}

/** Replaces the health on condition that it has not changed since it was loaded. */
export const healthWrite = (botId: number, before: WebhookHealth, next: WebhookHealth): Write => ({
  kind: 'put',
  item: { ...botKeys.webhookHealth(botId), ...next },
  condition: before.revision === 0 ? { exists: false } : { equals: { revision: before.revision } },
});

/** Forgets the failures of a bot whose server answers. */
export const recoveryWrites = (botId: number, { revision }: WebhookHealth): Write[] =>
  revision === 0 ? [] : [{ kind: 'delete', key: botKeys.webhookHealth(botId) }];
