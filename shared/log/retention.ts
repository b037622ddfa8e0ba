import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import {
  channelDeletionEvents,
  directDeletionEvents,
  expiryOf,
  firstMessageChange,
  type OldChannelMessage,
  type OldDirectMessage,
} from '#shared/domain/messages/retention.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel, listChannels } from '#shared/store/channels.ts';
import { listEntries, readCounter } from '#shared/store/log.ts';
import { toEntry } from '#shared/store/log-entry.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { findRetentionProgress, moveRetentionProgress } from '#shared/store/retention.ts';
import { blockOf, lastOfBlock, messageIndex, partitions, positionSortKey } from '#shared/table/keys.ts';
import { commit, StaleState } from './commit.ts';
import { forgetDigested, forgetHeads, forgetParts, hasParts, tombstoneWrite } from './forget.ts';
import { readTended } from './head.ts';

/** So many messages go in one run of the sweep; the next one goes on. */
const MESSAGES_PER_RUN = 1000;
/** So many entries of the log are looked through for direct messages in one run. */
const ENTRIES_PER_RUN = 5000;
/** A transaction holds a hundred writes, and items of 4 MB altogether. */
const MESSAGES_AT_ONCE = 80;
const BYTES_AT_ONCE = 2_000_000;
/** Once nothing old is left, nobody looks again before this. */
const PAUSE_SECONDS = 3600;
/** The index is never further behind than this. */
const NEWEST_POSITIONS = 200;

/**
 * Deletes messages that are older than channel and organization keep them, oldest first and so many at a time. Whoever
 * is interrupted goes on where the log still has old messages. Nothing happens for an hour after everything is done.
 */
export async function expireMessages(services: Services): Promise<void> {
  const { table, clock } = services;
  const progress = await findRetentionProgress(table);
  const nowSeconds = toSeconds(clock.nowMs());
  if (nowSeconds < progress.nextAtSeconds) return;
  const { settings } = await getOrganization(table);
  // Of what the sweep has not gone through, heads and digests could come to be after they are taken away.
  const tended = await readTended(table);
  let left = MESSAGES_PER_RUN;
  for (const channel of await listChannels(table)) {
    const before = expiryOf(channel, settings, nowSeconds);
    if (before === undefined || channel.firstMessageId === null) continue;
    left -= await expireChannel(services, channel.channelId, { before, tended, left });
    if (left <= 0) return;
  }
  const before = expiryOf(undefined, settings, nowSeconds);
  const isDone =
    before === undefined ||
    (await expireDirect(services, { before, tended, after: progress.directPosition }));
  if (isDone) await moveRetentionProgress(table, { nextAtSeconds: nowSeconds + PAUSE_SECONDS });
}

interface Old {
  before: number;
  tended: number;
}

async function expireChannel(
  services: Services,
  channelId: number,
  { before, tended, left }: Old & { left: number },
): Promise<number> {
  let gone = 0;
  let from = 0;
  while (gone < left) {
    const { items } = await services.table.page({
      index: messageIndex.byChannel,
      partition: messageIndex.channel(channelId),
      from: positionSortKey(from),
      limit: MESSAGES_AT_ONCE + 1,
    });
    const messages = items
      .map(toEntry)
      .flatMap(({ position, message }) =>
        message?.kind === 'channel' ? [{ ...message, messageId: position }] : [],
      );
    const isOld = ({ atSeconds, messageId }: OldChannelMessage) => atSeconds < before && messageId <= tended;
    const kept = messages.findIndex((message) => !isOld(message));
    const old = takeBatch(kept < 0 ? messages : messages.slice(0, kept));
    const last = old.at(-1);
    if (!last) break;
    const channel = await findChannel(services.table, channelId);
    const next = messages[old.length]?.messageId;
    if (!channel || !(await expireBatch(services, channel, old, next))) break;
    gone += old.length;
    from = last.messageId + 1;
  }
  return gone;
}

/** As many as fit into one transaction, one at least. */
function takeBatch<Old extends { content: string; html: string }>(messages: Old[]): Old[] {
  let bytes = 0;
  return messages.slice(0, MESSAGES_AT_ONCE).filter(({ content, html }, index) => {
    bytes += 3 * (content.length + html.length);
    return index === 0 || bytes <= BYTES_AT_ONCE;
  });
}

/** Heads and digests go first: whoever is interrupted in between finds the messages again. */
async function expireBatch(
  services: Services,
  channel: Channel,
  messages: OldChannelMessage[],
  next: number | undefined,
): Promise<boolean> {
  const ids = messages.map(({ messageId }) => messageId);
  await prepare(services, messages);
  const isFirst = channel.firstMessageId !== null && ids.includes(channel.firstMessageId);
  const following = next ?? (isFirst ? await findNewest(services, channel.channelId, ids.at(-1) ?? 0) : null);
  const first = isFirst ? firstMessageChange(channel, following) : { writes: [], events: [] };
  return commitIfFresh(services, {
    writes: [...messages.map((message) => tombstoneWrite(services, message)), ...first.writes],
    events: [...channelDeletionEvents(channel, messages), ...first.events],
  });
}

/** What was sent just now may not stand in the index yet. */
async function findNewest(services: Services, channelId: number, after: number): Promise<number | null> {
  const counter = await readCounter(services.table);
  const from = Math.max(after + 1, counter - NEWEST_POSITIONS);
  const entries = await listEntries(services.table, from, counter);
  const found = entries.find(({ message }) => message?.kind === 'channel' && message.channelId === channelId);
  return found?.position ?? null;
}

/** Walks the log for direct messages; true when nothing old is left. */
async function expireDirect(
  services: Services,
  { before, tended, after }: Old & { after: number },
): Promise<boolean> {
  let position = after;
  let examined = 0;
  while (position < tended) {
    if (examined >= ENTRIES_PER_RUN) return false;
    const block = blockOf(position + 1);
    const { items, more } = await services.table.page({
      partition: partitions.logBlock(block),
      from: positionSortKey(position + 1),
      to: positionSortKey(Math.min(lastOfBlock(block), tended)),
      limit: MESSAGES_AT_ONCE,
    });
    const entries = items.map(toEntry);
    const old = entries.filter(({ atMs }) => toSeconds(atMs) < before);
    const direct = old.flatMap(({ position: messageId, message }) =>
      message?.kind === 'direct' ? [{ ...message, messageId }] : [],
    );
    const batch = takeBatch(direct);
    if (batch.length > 0 && !(await expireDirectBatch(services, batch))) return false;
    const isCut = batch.length < direct.length;
    const isEnd = old.length < entries.length;
    const reached = isCut ? batch.at(-1)?.messageId : old.at(-1)?.position;
    const end = more || isEnd || isCut ? (reached ?? position) : Math.min(lastOfBlock(block), tended);
    examined += entries.length + 1;
    if (end > position) await moveRetentionProgress(services.table, { directPosition: end });
    position = end;
    if (isEnd && !isCut) return true;
  }
  return true;
}

async function expireDirectBatch(services: Services, messages: OldDirectMessage[]): Promise<boolean> {
  await prepare(services, messages);
  return commitIfFresh(services, {
    writes: messages.map((message) => tombstoneWrite(services, message)),
    events: directDeletionEvents(messages),
  });
}

async function prepare(services: Services, messages: Message[]): Promise<void> {
  const { table } = services;
  await moveRetentionProgress(table, { hasDeleted: true });
  await forgetHeads(table, messages);
  await forgetParts(services, messages.filter(hasParts));
  await forgetDigested(
    table,
    messages.map(({ messageId }) => messageId),
  );
}

/** False when somebody was faster; the next run looks again. */
async function commitIfFresh(services: Services, change: Parameters<typeof commit>[1]): Promise<boolean> {
  try {
    await commit(services, change);
    return true;
  } catch (failure) {
    if (failure instanceof StaleState) return false;
    throw failure;
  }
}
