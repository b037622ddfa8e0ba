import { countTraffic } from '#shared/actions/channels/traffic.ts';
import { endInvitations } from '#shared/actions/invitations/inviting.ts';
import { expireMessages } from '#shared/actions/messages/retention.ts';
import { announceUpdates } from '#shared/actions/organization/announce-updates.ts';
import { tendErasure } from '#shared/actions/organization/erase-organization.ts';
import { endUnfinishedUploads } from '#shared/actions/uploads/resumable-uploads.ts';
import { expireUploads } from '#shared/actions/uploads/uploads.ts';
import { announceFullMembers } from '#shared/actions/users/announce-full-members.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { completeAccounts } from '#shared/api/auth/complete-accounts.ts';
import { isSweepDue } from '#shared/domain/sweep.ts';
import { expireExports } from '#shared/exports/expire.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { indexMessages } from '#shared/search/index-messages.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { findLowWaterMark, readCounter } from '#shared/store/log/log.ts';
import {
  findClosure,
  isBeingRestored,
  isClosed,
  isDeleted,
} from '#shared/store/organization/organization.ts';
import { type DueFeed, listDue, type Pending } from '#shared/store/scheduled-messages.ts';

/**
 * Repairs what crashes and lost calls left behind: delivers overdue messages, republishes jobs, seals holes
 * of the log, repeats post-commit updates, and sends push notifications. It upgrades accounts of earlier
 * versions. Then it removes expired invitations, announces new full members and what an upgrade brings, counts traffic, deletes expired
 * messages, files and exports, extends the search index, and has new entries of feeds posted. Safe at any time and in parallel. In a
 * deactivated organization it only repairs, and begins to delete the data if its time has come; of a deleted one it has the rest erased. While a backup is being restored it does nothing but say so.
 */
export async function sweep(services: Services): Promise<void> {
  const closure = await findClosure(services.table, { eventually: true });
  if (closure?.restore !== undefined) {
    logLine('error', 'The sweep could not begin, because a restore has not ended');
    return;
  }
  if (closure) await tolerate('delete the organization', () => tendErasure(services, closure));
  if (closure?.erasingSinceSeconds !== undefined || (await isDeleted(services))) return;
  await tolerate('complete accounts', () => completeAccounts(services));
  await tolerate('publish jobs again', () => publishStaleJobs(services));
  const log = await tolerate('maintain the log', () => maintainLog(services));
  // In a deactivated organization nothing expires or is sent, because it may be reactivated.
  if (await isClosed(services)) return;
  const due = await tolerate('list due work', () =>
    listDue(services.table, toSeconds(services.clock.nowMs())),
  );
  if (due) await deliverOverdue(services, due.scheduled);
  await tolerate('notify devices', () => notifyDevices(services));
  await tolerate('end invitations', () => endInvitations(services));
  await tolerate('count the traffic', () => countTraffic(services));
  await tolerate('delete old messages', () => expireMessages(services));
  await tolerate('delete files that nothing names', () => expireUploads(services));
  await tolerate('end unfinished uploads', () => endUnfinishedUploads(services));
  await tolerate('delete old exports', () => expireExports(services));
  await tolerate('announce full members', () => announceFullMembers(services));
  await tolerate('announce an update', () => announceUpdates(services));
  if (log) await tolerate('index messages', () => indexMessages(services, log));
  if (due) await readFeeds(services, due.feeds);
}

/** A failing task does not keep the others from running. */
async function tolerate<Result>(task: string, act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (failure) {
    logLine('error', `The sweep could not ${task}`, describeFailure(failure));
    return undefined;
  }
}

async function deliverOverdue(services: Services, overdue: Pending[]): Promise<void> {
  if (overdue.length === 0) return;
  // Loaded on demand: the renderer is large, and messages are seldom overdue.
  const { deliverScheduledMessage } = await import('./deliver-scheduled-message.ts');
  for (const delivery of overdue)
    await tolerate('deliver a scheduled message', () => deliverScheduledMessage(services, delivery));
}

async function readFeeds(services: Services, due: DueFeed[]): Promise<void> {
  if (due.length === 0) return;
  // Loaded on demand: with the renderer and a parser it is large.
  const { pollFeeds } = await import('#shared/actions/feeds/poll-feeds.ts');
  await tolerate('read feeds', () => pollFeeds(services, due));
}

/** From this age on a job is reported; it is published again nevertheless. */
const LATE_JOB_AGE_MS = 3600 * 1000;
/** A job that has failed for this long needs a person; it stays in the table. */
const MAX_JOB_AGE_MS = 3 * 24 * 3600 * 1000;

async function publishStaleJobs(services: Services): Promise<void> {
  const jobs = await listJobs(services.table);
  const nowMs = services.clock.nowMs();
  const isOlderThan = ({ atMs }: { atMs: number }, ageMs: number): boolean => nowMs - atMs > ageMs;
  const notices: JobNotice[] = [];
  for (const job of jobs.filter((candidate) => isOlderThan(candidate, services.config.jobRetryMs))) {
    const notice = { jobId: job.jobId, type: job.type };
    if (isOlderThan(job, LATE_JOB_AGE_MS)) logLine('error', 'The sweep could not finish a job', notice);
    if (!isOlderThan(job, MAX_JOB_AGE_MS)) notices.push(notice);
  }
  await services.bus.publish(notices);
}

/**
 * Sweeps if there is something to do, or if an hour has begun; feeds alone are read without a sweep. AWS calls it every
 * five minutes.
 */
export async function sweepIfNeeded(services: Services): Promise<void> {
  const { table, clock, config } = services;
  const nowMs = clock.nowMs();
  const [position, { tendedPosition, indexedPosition }, jobs, due] = await Promise.all([
    readCounter(table),
    findLowWaterMark(table),
    listJobs(table),
    listDue(table, toSeconds(nowMs)),
  ]);
  const work = {
    untended: position - tendedPosition,
    segments: Math.floor((tendedPosition - indexedPosition) / config.searchSegment.positions),
    jobs: jobs.length,
    overdue: due.scheduled.length,
  };
  if (isSweepDue(nowMs, work)) {
    await sweep(services);
    logLine('info', 'The sweep has ended');
  } else if (due.feeds.length > 0 && !(await isBeingRestored(table)) && !(await isClosed(services)))
    await readFeeds(services, due.feeds);
}

export const handler = (): Promise<void> => sweepIfNeeded(awsServices());
