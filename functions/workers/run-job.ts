import type { Change, JobType } from '#shared/domain/change.ts';
import { commit, commitSilently, withFreshState } from '#shared/log/commit.ts';
import { settleMessage } from '#shared/log/send.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { findJob, type StoredJob, stepDoneWrite } from '#shared/store/jobs.ts';
import { announceChannels } from './steps/announce-channels.ts';
import { forgetDrafts } from './steps/forget-drafts.ts';
import { markUnsubscribedRead } from './steps/mark-unsubscribed-read.ts';
import { noteChannelChanges } from './steps/note-channel-changes.ts';
import { notifyAddedToGroup } from './steps/notify-added-to-group.ts';
import { notifySchedulingFailure } from './steps/notify-scheduling-failure.ts';
import { notifySubscribed } from './steps/notify-subscribed.ts';
import { removeProfileValues } from './steps/remove-profile-values.ts';
import { resumeSubscriptions } from './steps/resume-subscriptions.ts';
import { suspendSubscriptions } from './steps/suspend-subscriptions.ts';
import { welcomeUser } from './steps/welcome-user.ts';

/** What one step of a job makes true; undefined when there is nothing left to do for it. */
// biome-ignore lint/suspicious/noExplicitAny: each job has a payload of its own
export type Step = (services: Services, payload: any, step: number) => Promise<Change | undefined>;

const steps: Record<JobType, Step> = {
  'announce-channels': announceChannels,
  'forget-drafts': forgetDrafts,
  'mark-unsubscribed-read': markUnsubscribedRead,
  'note-channel-changes': noteChannelChanges,
  'notify-added-to-group': notifyAddedToGroup,
  'notify-scheduling-failure': notifySchedulingFailure,
  'notify-subscribed': notifySubscribed,
  'remove-profile-values': removeProfileValues,
  'resume-subscriptions': resumeSubscriptions,
  'suspend-subscriptions': suspendSubscriptions,
  'welcome-user': welcomeUser,
};

/** Does what is left of a job. Each step is done once: its effect and its end are one transaction. */
export async function runJob(services: Services, notice: JobNotice): Promise<void> {
  const job = await findJob(services.table, notice.jobId);
  for (const step of job?.steps ?? [])
    await withFreshState(services, () => runStep(services, notice.jobId, step));
}

async function runStep(services: Services, jobId: string, step: number): Promise<void> {
  const job = await findJob(services.table, jobId);
  if (!job?.steps.includes(step)) return;
  const change = await steps[job.type](services, job.payload, step);
  await finishStep(services, job, step, change);
}

async function finishStep(
  services: Services,
  job: StoredJob,
  step: number,
  change: Change | undefined,
): Promise<void> {
  const done = stepDoneWrite(job, step);
  if (!change) return commitSilently(services, [done]);
  const { writes = [], message } = change;
  const messageId = await commit(services, {
    ...change,
    writes: (position) => [...(typeof writes === 'function' ? writes(position) : writes), done],
  });
  if (message) await settleMessage(services, message, messageId);
}

/** EventBridge hands over one notice. */
export const handler = (event: { detail: JobNotice }): Promise<void> => runJob(awsServices(), event.detail);
