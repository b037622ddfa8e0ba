import type { Change } from '#shared/domain/change.ts';
import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { type Channel, isActiveAt, unmoved } from '#shared/domain/channels/channel.ts';
import { TRAFFIC_SECONDS, weeklyTraffic } from '#shared/domain/channels/traffic.ts';
import { readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import { dayOf } from '#shared/domain/users/user.ts';
import { commit, unlessConflict } from '#shared/log/commit.ts';
import { readTended } from '#shared/log/head.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { forgetEmptyTopics, listChannels } from '#shared/store/channels/channels.ts';
import { listBlockSummaries } from '#shared/store/log/block-summaries.ts';
import { findPositionSince } from '#shared/store/messages/messages.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** Summaries of messages are not written later than this. */
const SUMMARY_DELAY_MS = 24 * 3600 * 1000;

/**
 * Once a day counts the messages of four weeks from the block summaries, and stores each channel's weekly
 * traffic and activity if they have changed. Also forgets topics without messages.
 */
export async function countTraffic(services: Services): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const today = dayOf(nowSeconds);
  const item = await table.find(organizationKeys.traffic());
  if (item && Number(item.day) >= today) return;
  const counts = await countMessages(table, nowSeconds - TRAFFIC_SECONDS);
  for (const channel of await listChannels(table)) {
    const traffic = weeklyTraffic(channel, counts.get(channel.channelId) ?? 0, nowSeconds);
    const change = statisticsChange(channel, traffic, isActiveAt(channel, nowSeconds));
    // A concurrent change wins: the statistics follow the next day.
    if (change) await unlessConflict(() => commit(services, change));
    await forgetEmptyTopics(table, channel.channelId, clock.nowMs() - SUMMARY_DELAY_MS);
  }
  await table.write({ kind: 'update', key: organizationKeys.traffic(), set: { day: today } });
}

async function countMessages(table: Table, sinceSeconds: number): Promise<Map<number, number>> {
  const tended = await readTended(table);
  const from = await findPositionSince(table, sinceSeconds, 1, tended);
  const counts = new Map<number, number>();
  for (const message of (await listBlockSummaries(table, from, tended)).flatMap(readBlockSummary))
    if (message.kind === 'channel' && message.messageId >= from)
      counts.set(message.channelId, (counts.get(message.channelId) ?? 0) + 1);
  return counts;
}

function statisticsChange(channel: Channel, traffic: number | null, isActive: boolean): Change | undefined {
  const news: [property: string, value: unknown][] = [
    ...((channel.weeklyTraffic ?? null) === traffic
      ? []
      : [['stream_weekly_traffic', traffic] as [string, unknown]]),
    ...((channel.isRecentlyActive ?? true) === isActive
      ? []
      : [['is_recently_active', isActive] as [string, unknown]]),
  ];
  if (news.length === 0) return undefined;
  const { channelId, name } = channel;
  return {
    writes: [
      {
        kind: 'update',
        key: channelKeys.channel(channelId),
        set: { weeklyTraffic: traffic, isRecentlyActive: isActive },
        condition: { exists: true, ...unmoved(channel) },
      },
    ],
    events: news.map(([property, value]) => ({
      audience: channelAudience(channel),
      ...ofArchived(channel),
      payload: { type: 'stream', op: 'update', stream_id: channelId, name, property, value },
    })),
  };
}
