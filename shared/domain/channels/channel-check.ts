import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import { type Channel, unchanged } from './channel.ts';

/**
 * A check that the channel's settings have not changed since they were read; omitted when another write of
 * the transaction includes it.
 */
export function unchangedCheck(channel: Channel, others: Write[]): Write[] {
  const key = channelKeys.channel(channel.channelId);
  if (others.some((write) => 'key' in write && write.key.pk === key.pk && write.key.sk === key.sk)) return [];
  return [{ kind: 'check', key, condition: { exists: true, ...unchanged(channel) } }];
}
