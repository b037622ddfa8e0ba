import type { Channel } from '#shared/domain/channels/channel.ts';
import { extendBlockSummary } from '#shared/domain/messages/block-summary.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { getBlockSummary, storeBlockSummary } from '#shared/store/log/block-summaries.ts';
import { findLowWaterMark, type LowWaterMark, listEntries } from '#shared/store/log/log.ts';
import { blockOf, lastOfBlock } from '#shared/table/keys/log.ts';
import { recordActivity } from './activity.ts';
import { repairSummaries } from './commit-message.ts';
import { moveLowWaterMark, moveTended, readHead } from './head.ts';

const POSITIONS_AT_ONCE = 500;

/**
 * Processes new log entries: seals holes, repeats post-commit updates of messages, and extends the block
 * summaries. Existing updates are left unchanged. Returns the progress.
 */
export async function maintainLog(services: Services): Promise<LowWaterMark> {
  const { position } = await readHead(services);
  await moveLowWaterMark(services, position);
  const lowWaterMark = await findLowWaterMark(services.table);
  let tended = lowWaterMark.tendedPosition;
  while (tended < position) {
    const end = Math.min(tended + POSITIONS_AT_ONCE, lastOfBlock(blockOf(tended + 1)), position);
    const isDone = await maintainRange(services, tended, end);
    // Another sweep is at the same place and will continue from there.
    if (!isDone) break;
    await moveTended(services.table, end);
    tended = end;
  }
  return lowWaterMark;
}

/** A range within one block. */
async function maintainRange(services: Services, after: number, end: number): Promise<boolean> {
  const digest = await getBlockSummary(services.table, blockOf(end));
  const entries = await listEntries(services.table, Math.min(after, digest.to) + 1, end);
  const messages = entries.flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  await repairSummaries(services, messages);
  await repairActivity(services, messages);
  if (digest.to >= end) return true;
  const gained = messages.filter(({ messageId }) => messageId > digest.to);
  return storeBlockSummary(services.table, digest, extendBlockSummary(digest, gained, end));
}

async function repairActivity(services: Services, messages: Message[]): Promise<void> {
  const channels = new Map<number, Channel | undefined>();
  for (const message of messages) {
    if (message.kind === 'direct') continue;
    const { channelId } = message;
    if (!channels.has(channelId)) channels.set(channelId, await findChannel(services.table, channelId));
    const channel = channels.get(channelId);
    if (channel) await recordActivity(services, channel, message);
  }
}
