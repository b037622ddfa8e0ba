import { completeAccounts } from '#shared/api/complete-accounts.ts';
import { announceFullMembers } from '#shared/log/announce-full-members.ts';
import { expireExports } from '#shared/log/exports/expire.ts';
import { indexMessages } from '#shared/log/index-messages.ts';
import { endInvitations } from '#shared/log/inviting.ts';
import { notifyDevices } from '#shared/log/push/notify.ts';
import { endUnfinishedUploads } from '#shared/log/resumable-uploads.ts';
import { expireMessages } from '#shared/log/retention.ts';
import { tendLog } from '#shared/log/tend.ts';
import { countTraffic } from '#shared/log/traffic.ts';
import { expireUploads } from '#shared/log/uploads.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { isClosed } from '#shared/store/closure.ts';
import { listJobs } from '#shared/store/jobs.ts';
import { listPendingScheduled } from '#shared/store/scheduled-messages.ts';

/**
 * Brings accounts of earlier versions of the service up to date. Repairs what crashes and lost calls left behind: delivers what is overdue, publishes jobs again, seals holes of the
 * log, derives again what follows from its messages, and notifies devices. Then it removes invitations that have ended, tells
 * who became a full member, counts traffic, deletes messages, files and exports that are older than they are to be kept, and
 * adds to the search index. Safe at any time, and several times at once. In a
 * deactivated organization it does nothing but repair.
 */
export async function sweep(services: Services): Promise<void> {
  await tolerate('complete accounts', () => completeAccounts(services));
  await tolerate('publish jobs again', () => publishStaleJobs(services));
  const log = await tolerate('tend the log', () => tendLog(services));
  // Nothing of a deactivated organization ends or is sent: it may go on.
  if (await isClosed(services)) return;
  await tolerate('deliver what is overdue', () => deliverOverdue(services));
  await tolerate('notify devices', () => notifyDevices(services));
  await tolerate('end invitations', () => endInvitations(services));
  await tolerate('count the traffic', () => countTraffic(services));
  await tolerate('delete old messages', () => expireMessages(services));
  await tolerate('delete files that nothing names', () => expireUploads(services));
  await tolerate('end unfinished uploads', () => endUnfinishedUploads(services));
  await tolerate('delete old exports', () => expireExports(services));
  await tolerate('announce full members', () => announceFullMembers(services));
  if (log) await tolerate('index messages', () => indexMessages(services, log));
}

/** One failing task keeps no other from its turn. */
async function tolerate<Result>(task: string, act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (failure) {
    logLine('error', `The sweep could not ${task}`, describeFailure(failure));
    return undefined;
  }
}

async function deliverOverdue(services: Services): Promise<void> {
  const overdue = await listPendingScheduled(services.table, toSeconds(services.clock.nowMs()));
  if (overdue.length === 0) return;
  // What it takes to render a message is large, and seldom is anything overdue.
  const { deliverScheduledMessage } = await import('./deliver-scheduled-message.ts');
  for (const delivery of overdue)
    await tolerate('deliver a scheduled message', () => deliverScheduledMessage(services, delivery));
}

/** A job that nobody could do for so long needs a person; it stays in the table. */
const MAX_JOB_AGE_MS = 3 * 24 * 3600 * 1000;

async function publishStaleJobs(services: Services): Promise<void> {
  const ageOf = ({ atMs }: { atMs: number }): number => services.clock.nowMs() - atMs;
  const stale = (await listJobs(services.table)).filter((job) => ageOf(job) > services.config.jobRetryMs);
  for (const { jobId, type } of stale.filter((job) => ageOf(job) > MAX_JOB_AGE_MS))
    logLine('error', 'The sweep could not have a job done', { jobId, type });
  const notices = stale
    .filter((job) => ageOf(job) <= MAX_JOB_AGE_MS)
    .map(({ jobId, type }) => ({ jobId, type }));
  if (notices.length > 0) await services.bus.publish(notices);
}

export const handler = (): Promise<void> => sweep(awsServices());
