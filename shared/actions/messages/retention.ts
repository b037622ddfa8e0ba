import { type Change, mergeChanges, writesAt } from '#shared/domain/change.ts';
import { unchangedCheck } from '#shared/domain/channels/channel-check.ts';
import { expiryOf, type OldDirectMessage } from '#shared/domain/messages/retention.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { unchangedOrganization } from '#shared/domain/organization/organization-change.ts';
import { commit, unlessConflict } from '#shared/log/commit.ts';
import { readTended } from '#shared/log/head.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel, listChannels } from '#shared/store/channels/channels.ts';
import { toEntry } from '#shared/store/log/log-entry.ts';
import { findRetentionProgress, moveRetentionProgress } from '#shared/store/log/retention.ts';
import { toMessage } from '#shared/store/messages/messages.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import {
  blockOf,
  lastOfBlock,
  logPartitions,
  messageIndex,
  positionSortKey,
} from '#shared/table/keys/log.ts';
import { deleteDirectChange, deleteFromChannelChange } from './delete-messages.ts';
import { takeBatch } from './take-batch.ts';

/** The maximum of messages deleted per sweep; the next one continues. */
const MESSAGES_PER_RUN = 1000;
/** The maximum of pages of the log searched for direct messages per sweep. */
const PAGES_PER_RUN = 64;
const PAGE = 80;

/**
 * Deletes expired messages of channels and conversations in batches, oldest first. After an interruption the
 * next run continues. Each transaction is conditional on the present settings, so nothing is deleted after
 * they have changed. After finishing, it pauses for a while.
 */
export async function expireMessages(services: Services): Promise<void> {
  const { table, clock, config } = services;
  const progress = await findRetentionProgress(table);
  const nowSeconds = toSeconds(clock.nowMs());
  if (nowSeconds < progress.nextAtSeconds) return;
  const { settings } = await getOrganization(table);
  // For entries that the sweep has not processed, summaries could be written after their deletion.
  const tended = await readTended(table);
  let left = MESSAGES_PER_RUN;
  for (const channel of await listChannels(table)) {
    const isExpiring = expiryOf(channel, settings, nowSeconds) !== undefined;
    if (!isExpiring || channel.firstMessageId === null) continue;
    left -= await expireChannel(services, channel.channelId, { tended, left });
    if (left <= 0) return;
  }
  if (await expireDirect(services, { tended, after: progress.directPosition }))
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
    if (!channel) break;
    const before = expiryOf(channel, organization.settings, toSeconds(clock.nowMs()));
    if (before === undefined) break;
    const messages = items
      .map(toMessage)
      .filter((message) => message?.kind === 'channel')
      .filter(({ atSeconds, messageId }) => atSeconds < before && messageId <= tended);
    const batch = takeBatch(messages);
    const last = batch.at(-1);
    if (!last) break;
    const change = await deleteFromChannelChange(services, channel, batch);
    const checks = {
      writes: [unchangedOrganization(organization), ...unchangedCheck(channel, writesAt(change, 0))],
    };
    if (!(await commitIfFresh(services, change, checks))) break;
    gone += batch.length;
    from = last.messageId + 1;
  }
  return gone;
}

/** Searches the log for expired direct messages; true when none is left. */
async function expireDirect(
  services: Services,
  { tended, after }: { tended: number; after: number },
): Promise<boolean> {
  const { table, clock } = services;
  let position = after;
  for (let page = 0; position < tended; page++) {
    if (page === PAGES_PER_RUN) return false;
    const organization = await getOrganization(table);
    const before = expiryOf(undefined, organization.settings, toSeconds(clock.nowMs()));
    if (before === undefined) return true;
    const block = blockOf(position + 1);
    const { items, more } = await table.page({
      partition: logPartitions.block(block),
      from: positionSortKey(position + 1),
      to: positionSortKey(tended),
      limit: PAGE,
    });
    const old = items.map(toEntry).filter(({ atMs }) => toSeconds(atMs) < before);
    const reached = old.at(-1)?.position ?? position;
    const direct = items
      .map(toMessage)
      .filter((message) => message?.kind === 'direct')
      .filter(({ messageId }) => messageId <= reached);
    if (!(await deleteDirect(services, organization, direct))) return false;
    const isEnd = old.length < items.length;
    const end = more || isEnd ? reached : Math.min(lastOfBlock(block), tended);
    if (end > position) await moveRetentionProgress(table, { directPosition: end });
    if (isEnd) return true;
    position = end;
  }
  return true;
}

/** Deletes direct messages in batches; false when messages or settings have changed meanwhile. */
async function deleteDirect(
  services: Services,
  organization: Organization,
  messages: OldDirectMessage[],
): Promise<boolean> {
  for (let left = messages; left.length > 0; ) {
    const batch = takeBatch(left);
    left = left.slice(batch.length);
    const change = await deleteDirectChange(services, batch);
    const checks = { writes: [unchangedOrganization(organization)] };
    if (!(await commitIfFresh(services, change, checks))) return false;
  }
  return true;
}

/** False when messages or settings have changed; the next run checks again. */
const commitIfFresh = (services: Services, ...changes: Change[]): Promise<boolean> =>
  unlessConflict(() => commit(services, mergeChanges(...changes)));
