import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { rewritingWrite, SETTLING_MS } from '#shared/store/log/rewriting.ts';
import { messageKeys, messagePartitions, positionSortKey } from '#shared/table/keys/log.ts';
import type { Write } from '#shared/table/table.ts';

/** Longer than any lag of the indexes. */
const KEPT_SECONDS = 3600;
const PAGE = 20;

/** Records the messages that a move brings to a topic, until the indexes certainly show them there. */
export const arrivalWrites = (
  { channelId, topic }: TopicPlace,
  messages: { messageId: number }[],
  position: number,
  nowMs: number,
): Write[] => [
  rewritingWrite(nowMs),
  {
    kind: 'put',
    item: {
      ...messageKeys.arrival(channelId, position),
      topic: toCanonical(topic),
      messageIds: messages.map(({ messageId }) => messageId),
      atMs: nowMs,
      expiresAtSeconds: toSeconds(nowMs) + KEPT_SECONDS,
    },
  },
];

/**
 * The ids of messages recently moved to a channel or to one of its topics, unordered. They may have left
 * again. Usually one strongly consistent read.
 */
export async function listArrivedIds(
  { table, clock }: Pick<Services, 'table' | 'clock'>,
  { channelId, topic }: { channelId: number; topic?: string },
): Promise<number[]> {
  const sinceMs = clock.nowMs() - SETTLING_MS;
  const ids: number[] = [];
  for (let to = Number.MAX_SAFE_INTEGER; ; ) {
    const { items, more } = await table.page({
      partition: messagePartitions.arrivalsIn(channelId),
      to: positionSortKey(to),
      backwards: true,
      limit: PAGE,
      consistent: true,
    });
    const recent = items.filter(({ atMs }) => Number(atMs) >= sinceMs);
    for (const item of recent)
      if (topic === undefined || item.topic === toCanonical(topic))
        ids.push(...(item.messageIds as number[]));
    const last = recent.at(-1);
    if (!more || !last || recent.length < items.length) return ids;
    to = Number(last.sk) - 1;
  }
}
