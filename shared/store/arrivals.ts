import type { TopicPlace } from '#shared/domain/messages/move.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { arrivalKey, arrivalPartition } from '#shared/table/arrival-keys.ts';
import { positionSortKey } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { rewritingWrite, SETTLING_MS } from './rewriting.ts';

/** Longer than the indexes ever lag. */
const KEPT_SECONDS = 3600;
const PAGE = 20;

/** Notes which messages a move brings to a topic, for as long as the indexes may not show them there. */
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
      ...arrivalKey(channelId, position),
      topic: toCanonical(topic),
      messageIds: messages.map(({ messageId }) => messageId),
      atMs: nowMs,
      expiresAtSeconds: toSeconds(nowMs) + KEPT_SECONDS,
    },
  },
];

/**
 * The ids of messages that moves brought lately to a channel, or to one of its topics, in no particular order. They may
 * have gone again since. One strongly consistent read as a rule.
 */
export async function listArrivedIds(
  { table, clock }: Pick<Services, 'table' | 'clock'>,
  { channelId, topic }: { channelId: number; topic?: string },
): Promise<number[]> {
  const sinceMs = clock.nowMs() - SETTLING_MS;
  const ids: number[] = [];
  for (let to = Number.MAX_SAFE_INTEGER; ; ) {
    const { items, more } = await table.page({
      partition: arrivalPartition(channelId),
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
