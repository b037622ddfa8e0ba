import type { Channel } from '#shared/domain/channels/channel.ts';
import { extendDigest } from '#shared/domain/messages/digest.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels.ts';
import { getDigest, storeDigest } from '#shared/store/digests.ts';
import { type Frontier, findFrontier, listEntries } from '#shared/store/log.ts';
import { blockOf, lastOfBlock } from '#shared/table/keys.ts';
import { moveFrontier, moveTended, readHead } from './head.ts';
import { recordActivity, repairHeads } from './heads.ts';

const POSITIONS_AT_ONCE = 500;

/**
 * Walks what the log gained since the last time: seals holes, derives again what follows from messages, and adds the
 * messages to the digests. What was derived already stays as it is. Says how far the log has come.
 */
export async function tendLog(services: Services): Promise<Frontier> {
  const { position } = await readHead(services);
  await moveFrontier(services, position);
  const frontier = await findFrontier(services.table);
  let tended = frontier.tendedPosition;
  while (tended < position) {
    const end = Math.min(tended + POSITIONS_AT_ONCE, lastOfBlock(blockOf(tended + 1)), position);
    const isDone = await tendRange(services, tended, end);
    // Another sweep is at the same place, and will go on from there.
    if (!isDone) break;
    await moveTended(services.table, end);
    tended = end;
  }
  return frontier;
}

/** A range within one block. */
async function tendRange(services: Services, after: number, end: number): Promise<boolean> {
  const digest = await getDigest(services.table, blockOf(end));
  const entries = await listEntries(services.table, Math.min(after, digest.to) + 1, end);
  const messages = entries.flatMap(({ position, message }) =>
    message ? [{ ...message, messageId: position }] : [],
  );
  await repairHeads(services.table, messages);
  await repairActivity(services, messages);
  if (digest.to >= end) return true;
  const gained = messages.filter(({ messageId }) => messageId > digest.to);
  return storeDigest(services.table, digest, extendDigest(digest, gained, end));
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
