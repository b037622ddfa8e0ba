import type { Change } from '#shared/domain/change.ts';
import { unchangedCheck } from '#shared/domain/channels/channel-check.ts';
import { mergeChanges, writesAt } from '#shared/domain/merge-changes.ts';
import { expiryOf } from '#shared/domain/messages/retention.ts';
import { unchangedOrganization } from '#shared/domain/organization/organization-change.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel, listChannels } from '#shared/store/channels.ts';
import { toEntry } from '#shared/store/log-entry.ts';
import { toMessage } from '#shared/store/messages.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { findRetentionProgress, moveRetentionProgress } from '#shared/store/retention.ts';
import { blockOf, lastOfBlock, messageIndex, partitions, positionSortKey } from '#shared/table/keys.ts';
import { commit, StaleState } from './commit.ts';
import { deleteDirectChange, deleteFromChannelChange } from './delete-messages.ts';
import { readTended } from './head.ts';
import { takeBatch } from './take-batch.ts';

/** So many messages go in one run of the sweep; the next one goes on. */
const MESSAGES_PER_RUN = 1000;
/** So many entries of the log are looked through for direct messages in one run. */
const ENTRIES_PER_RUN = 5000;
const PAGE = 80;

/**
 * Deletes messages that are older than channel and organization keep them, oldest first and so many at a time. A run that
 * is interrupted leaves the rest to the next. Each transaction rests on the settings of that moment, so nothing goes once
 * they say otherwise. Nothing happens for a while after everything is done.
 */
export async function expireMessages(services: Services): Promise<void> {
  const { table, clock, config } = services;
  const progress = await findRetentionProgress(table);
  const nowSeconds = toSeconds(clock.nowMs());
  if (nowSeconds < progress.nextAtSeconds) return;
  const { settings } = await getOrganization(table);
  // Of what the sweep has not gone through, heads and digests could come to be after they are taken away.
  const tended = await readTended(table);
  let left = MESSAGES_PER_RUN;
  for (const channel of await listChannels(table)) {
    const isExpiring = expiryOf(channel, settings, nowSeconds) !== undefined;
    if (!isExpiring || channel.firstMessageId === null) continue;
    left -= await expireChannel(services, channel.channelId, { tended, left });
    if (left <= 0) return;
  }
  const isDone =
    expiryOf(undefined, settings, nowSeconds) === undefined ||
    (await expireDirect(services, { tended, after: progress.directPosition }));
  if (isDone)
    await moveRetentionProgress(table, { nextAtSeconds: nowSeconds + config.retentionPauseSeconds });
}

async function expireChannel(
  services: Services,
  channelId: number,
  { tended, left }: { tended: number; left: number },
): Promise<number> {
  const { table, clock } = services;
  let gone = 0;
  let from = 0;
  while (gone < left) {
    const { items } = await table.page({
      index: messageIndex.byChannel,
      partition: messageIndex.channel(channelId),
      from: positionSortKey(from),
      limit: PAGE,
    });
    const [organization, channel] = [await getOrganization(table), await findChannel(table, channelId)];
    const before = expiryOf(channel, organization.settings, toSeconds(clock.nowMs())) ?? 0;
    const messages = items
      .map(toMessage)
      .filter((message) => message?.kind === 'channel')
      .filter(({ atSeconds, messageId }) => atSeconds < before && messageId <= tended);
    const batch = takeBatch(messages);
    const last = batch.at(-1);
    if (!last || !channel) break;
    const change = await deleteFromChannelChange(services, channel, batch);
    const checks = {
      writes: [unchangedOrganization(organization), ...unchangedCheck(channel, writesAt(change, 0))],
    };
    if (!(await commitIfFresh(services, mergeChanges(change, checks)))) break;
    gone += batch.length;
    from = last.messageId + 1;
  }
  return gone;
}

/** Walks the log for direct messages; true when nothing old is left. */
async function expireDirect(
  services: Services,
  { tended, after }: { tended: number; after: number },
): Promise<boolean> {
  const { table, clock } = services;
  let position = after;
  let examined = 0;
  while (position < tended) {
    if (examined >= ENTRIES_PER_RUN) return false;
    const block = blockOf(position + 1);
    const { items, more } = await table.page({
      partition: partitions.logBlock(block),
      from: positionSortKey(position + 1),
      to: positionSortKey(Math.min(lastOfBlock(block), tended)),
      limit: PAGE,
    });
    const organization = await getOrganization(table);
    const before = expiryOf(undefined, organization.settings, toSeconds(clock.nowMs())) ?? 0;
    const entries = items.map(toEntry);
    const old = entries.filter(({ atMs }) => toSeconds(atMs) < before);
    const direct = items
      .map(toMessage)
      .filter((message) => message?.kind === 'direct')
      .filter(({ messageId }) => messageId <= (old.at(-1)?.position ?? 0));
    const batch = takeBatch(direct);
    if (batch.length > 0) {
      const change = await deleteDirectChange(services, batch);
      const checks = { writes: [unchangedOrganization(organization)] };
      if (!(await commitIfFresh(services, mergeChanges(change, checks)))) return false;
    }
    const isCut = batch.length < direct.length;
    const isEnd = old.length < entries.length;
    const reached = isCut ? batch.at(-1)?.messageId : old.at(-1)?.position;
    const end = more || isEnd || isCut ? (reached ?? position) : Math.min(lastOfBlock(block), tended);
    examined += entries.length + 1;
    if (end > position) await moveRetentionProgress(table, { directPosition: end });
    position = end;
    if (isEnd && !isCut) return true;
  }
  return true;
}

/** False when the messages or the settings are not what they were; the next run looks again. */
async function commitIfFresh(services: Services, change: Change): Promise<boolean> {
  try {
    await commit(services, change);
    return true;
  } catch (failure) {
    if (failure instanceof StaleState) return false;
    throw failure;
  }
}
