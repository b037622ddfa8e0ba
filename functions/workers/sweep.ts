import type { Channel } from '#shared/domain/channels/channel.ts';
import { extendDigest } from '#shared/domain/messages/digest.ts';
import type { LogEntry } from '#shared/log/entry.ts';
import { moveFrontier, moveTended, readHead, readTended } from '#shared/log/head.ts';
import { recordActivity, recordHeads } from '#shared/log/heads.ts';
import { listEntries } from '#shared/log/read.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels.ts';
import { getDigest, storeDigest } from '#shared/store/digests.ts';
import { listJobs } from '#shared/store/jobs.ts';
import { listPendingScheduled } from '#shared/store/scheduled-messages.ts';
import { blockOf, lastOfBlock } from '#shared/table/keys.ts';
import { deliverScheduledMessage } from './deliver-scheduled-message.ts';

/**
 * Repairs what crashes and lost calls left behind: delivers what is overdue, publishes jobs again, seals holes of the
 * log and derives again what follows from its messages. Safe at any time, and several times at once.
 */
export async function sweep(services: Services): Promise<void> {
  await tolerate('deliver what is overdue', () => deliverOverdue(services));
  await tolerate('publish jobs again', () => publishStaleJobs(services));
  await tolerate('tend the log', () => tendLog(services));
}

const POSITIONS_AT_ONCE = 500;

/** One failing task keeps no other from its turn. */
async function tolerate(task: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    logLine('error', `The sweep could not ${task}`, describeFailure(failure));
  }
}

async function deliverOverdue(services: Services): Promise<void> {
  const overdue = await listPendingScheduled(services.table, toSeconds(services.clock.nowMs()));
  for (const delivery of overdue)
    await tolerate('deliver a scheduled message', () => deliverScheduledMessage(services, delivery));
}

async function publishStaleJobs(services: Services): Promise<void> {
  const jobs = await listJobs(services.table);
  const isStale = (atMs: number): boolean => services.clock.nowMs() - atMs > services.config.jobRetryMs;
  const stale = jobs.filter(({ atMs }) => isStale(atMs)).map(({ jobId, type }) => ({ jobId, type }));
  if (stale.length > 0) await services.bus.publish(stale);
}

/** Walks what the log gained since the last time; what was derived already stays as it is. */
async function tendLog(services: Services): Promise<void> {
  const { position } = await readHead(services);
  await moveFrontier(services, position);
  let tended = await readTended(services.table);
  while (tended < position) {
    const end = Math.min(tended + POSITIONS_AT_ONCE, lastOfBlock(blockOf(tended + 1)), position);
    const isDone = await tend(services, tended, end);
    // Another sweep is at the same place, and will go on from there.
    if (!isDone) return;
    await moveTended(services.table, end);
    tended = end;
  }
}

/** Derives again what follows from the messages of a range within a block, and adds them to the block's digest. */
async function tend(services: Services, after: number, end: number): Promise<boolean> {
  const digest = await getDigest(services.table, blockOf(end));
  const entries = await listEntries(services.table, Math.min(after, digest.to) + 1, end);
  await deriveAgain(services, entries);
  if (digest.to >= end) return true;
  const messages = entries.flatMap(({ position, message }) =>
    message && position > digest.to ? [{ ...message, messageId: position }] : [],
  );
  return storeDigest(services.table, digest, extendDigest(digest, messages, end));
}

async function deriveAgain(services: Services, entries: LogEntry[]): Promise<void> {
  const channels = new Map<number, Channel | undefined>();
  for (const { position, message: stored } of entries) {
    if (!stored) continue;
    const message = { ...stored, messageId: position };
    await recordHeads(services.table, message);
    if (message.kind === 'direct') continue;
    const { channelId } = message;
    if (!channels.has(channelId)) channels.set(channelId, await findChannel(services.table, channelId));
    const channel = channels.get(channelId);
    if (channel) await recordActivity(services, channel, message);
  }
}

export const handler = (): Promise<void> => sweep(awsServices());
