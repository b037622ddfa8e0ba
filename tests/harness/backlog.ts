import { extendBlockSummary } from '#shared/domain/messages/block-summary.ts';
import { moveLowWaterMark, moveTended } from '#shared/log/head.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getBlockSummary, storeBlockSummary } from '#shared/store/log/block-summaries.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { toItem } from '#shared/store/log/log-entry.ts';
import { blockOf, lastOfBlock } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

const WRITES_PER_TRANSACTION = 100;
const TOPICS = 20;

export interface Place {
  channelId: number;
  channelName: string;
}

/** The differences between the messages: the place, sender, time and text of each. */
export interface Variation extends Partial<Place> {
  topic?: string;
  senderId?: number;
  senderFullName?: string;
  atSeconds?: number;
  content?: string;
  html?: string;
}

/**
 * As if messages had been sent to a channel and the sweep had run: 100 000 calls would take too long. Of
 * the messages themselves only the newest are written where `rows` says so; digests are complete.
 */
export async function fillLog(
  services: Services,
  place: Place,
  count: number,
  rows = count,
  contentAt: (position: number) => string = () => 'word '.repeat(40),
  variationAt: (position: number) => Variation = () => ({}),
): Promise<{ first: number; last: number }> {
  const { table, clock, ids } = services;
  await maintainLog(services);
  const first = (await readCounter(table)) + 1;
  const last = first + count - 1;
  const atMs = clock.nowMs();
  const messageAt = (position: number) => ({
    ...messageOf(place, position, Math.floor(atMs / 1000)),
    content: contentAt(position),
    html: `<p>${contentAt(position)}</p>`,
    ...variationAt(position),
  });
  for (let block = blockOf(first); block <= blockOf(last); block++) {
    const digest = await getBlockSummary(table, block);
    const end = Math.min(last, lastOfBlock(block));
    const from = Math.max(first, digest.after + 1);
    const messages = range(from, end).map((messageId) => ({ ...messageAt(messageId), messageId }));
    await storeBlockSummary(table, digest, extendBlockSummary(digest, messages, end));
  }
  const starts = range(0, Math.ceil(rows / WRITES_PER_TRANSACTION) - 1);
  await mapConcurrently(starts, (n) => {
    const from = Math.max(last - rows + 1, first) + n * WRITES_PER_TRANSACTION;
    const positions = range(from, Math.min(last, from + WRITES_PER_TRANSACTION - 1));
    const entries = positions.map((position) => ({
      position,
      atMs,
      writeId: `fill-${position}`,
      events: [],
      message: messageAt(position),
    }));
    const writes = entries.map((entry) => ({ kind: 'put' as const, item: toItem(entry) }));
    return table.transact(writes, ids.writeId());
  });
  // Only now, so that no reader finds a hole.
  await table.write({ kind: 'update', key: organizationKeys.counter('log'), set: { position: last } });
  await moveLowWaterMark(services, last);
  await moveTended(table, last);
  return { first, last };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);

const messageOf = (place: Place, position: number, atSeconds: number) => ({
  kind: 'channel' as const,
  ...place,
  isPublic: true,
  topic: `topic ${position % TOPICS}`,
  senderId: 999_999,
  senderEmail: 'invented@example.com',
  senderFullName: 'Invented',
  senderAvatarVersion: 1,
  client: 'website',
  atSeconds,
  isReadBySender: true,
});
