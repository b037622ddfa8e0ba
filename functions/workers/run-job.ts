import { finishStep } from '#shared/actions/messages/finish-step.ts';
import type { Change, JobType, jobsWithWorkers } from '#shared/domain/change.ts';
import { isSamePlace, type TopicPlace } from '#shared/domain/topics/topic-place.ts';
import { withFreshState } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { findJob, listJobs, type StoredJob } from '#shared/store/log/jobs.ts';

/**
 * The change of one step of a job; undefined when nothing is left to do. It decides from the present state,
 * and decisions made after the job's log position take precedence.
 */
export type Step = (
  services: Services,
  // biome-ignore lint/suspicious/noExplicitAny: each job has a payload of its own
  payload: any,
  step: number,
  position: number,
) => Promise<Change | undefined>;

type OwnJobType = Exclude<JobType, (typeof jobsWithWorkers)[number]>;

/** Each is loaded with the first job of its kind, because together they are large. */
const steps: Record<OwnJobType, () => Promise<Step>> = {
  'align-subscriptions': async () => (await import('./steps/align-subscriptions.ts')).alignSubscriptions,
  'announce-channels': async () => (await import('./steps/announce-channels.ts')).announceChannels,
  'answer-confirmation': async () => (await import('./steps/answer-confirmation.ts')).answerConfirmation,
  'call-webhook': async () => (await import('./steps/call-webhook.ts')).callWebhook,
  'complete-joining': async () => (await import('./steps/complete-joining.ts')).completeJoining,
  'confirm-report': async () => (await import('./steps/confirm-report.ts')).confirmReport,
  'delete-sent-messages': async () => (await import('./steps/delete-sent-messages.ts')).deleteSentMessages,
  'follow-mentioned': async () => (await import('./steps/follow-mentioned.ts')).followMentioned,
  'forget-drafts': async () => (await import('./steps/forget-drafts.ts')).forgetDrafts,
  'forget-message-parts': async () => (await import('./steps/forget-message-parts.ts')).forgetMessageParts,
  'mail-account-notice': async () => (await import('./steps/mails/mail-account-notice.ts')).mailAccountNotice,
  'mail-address-change': async () => (await import('./steps/mails/mail-address-change.ts')).mailAddressChange,
  'mail-address-notice': async () => (await import('./steps/mails/mail-address-notice.ts')).mailAddressNotice,
  'mail-deactivation': async () => (await import('./steps/mails/mail-deactivation.ts')).mailDeactivation,
  'mail-invitations': async () => (await import('./steps/mails/mail-invitations.ts')).mailInvitations,
  'mail-password-reset': async () => (await import('./steps/mails/mail-password-reset.ts')).mailPasswordReset,
  'mark-unsubscribed-read': async () =>
    (await import('./steps/mark-unsubscribed-read.ts')).markUnsubscribedRead,
  'move-messages': async () => (await import('./steps/move-messages.ts')).moveMessages,
  'move-topic-preferences': async () =>
    (await import('./steps/move-topic-preferences.ts')).moveTopicPreferences,
  'note-channel-changes': async () => (await import('./steps/note-channel-changes.ts')).noteChannelChanges,
  'note-moved-messages': async () => (await import('./steps/note-moved-messages.ts')).noteMovedMessages,
  'notify-added-to-group': async () => (await import('./steps/notify-added-to-group.ts')).notifyAddedToGroup,
  'notify-scheduling-failure': async () =>
    (await import('./steps/notify-scheduling-failure.ts')).notifySchedulingFailure,
  'notify-subscribed': async () => (await import('./steps/notify-subscribed.ts')).notifySubscribed,
  'register-push-device': async () => (await import('./steps/register-push-device.ts')).registerPushDevice,
  'remove-files': async () => (await import('./steps/remove-files.ts')).removeFiles,
  'remove-profile-values': async () => (await import('./steps/remove-profile-values.ts')).removeProfileValues,
  'report-webhook-failure': async () =>
    (await import('./steps/report-webhook-failure.ts')).reportWebhookFailure,
  'revoke-invitations': async () => (await import('./steps/revoke-invitations.ts')).revokeInvitations,
  'withdraw-grants': async () => (await import('./steps/withdraw-grants.ts')).withdrawGrants,
  'welcome-user': async () => (await import('./steps/welcome-user.ts')).welcomeUser,
};

/** Does the open steps of a job. Each is done once: its effect and its completion are one transaction. */
export async function runJob(services: Services, { jobId }: JobNotice): Promise<void> {
  let job = await findJob(services.table, jobId);
  if (job) await runEarlier(services, job);
  for (const step of job?.steps ?? [])
    await withFreshState(services, async () => {
      const current = job ?? (await findJob(services.table, jobId));
      // Reload after any attempt, because the job has changed.
      job = undefined;
      if (current?.steps.includes(step)) await runStep(services, current, step);
    });
}

/**
 * Jobs about topic preferences depend on each other: jobs about one topic run in the order of their causes.
 */
async function runEarlier(services: Services, job: StoredJob): Promise<void> {
  if (topicsOf(job).length === 0) return;
  const earlier = (await listJobs(services.table)).filter(
    (one) => one.position < job.position && sharesTopic(one, job),
  );
  for (const { jobId, type } of earlier) await runJob(services, { jobId, type });
}

const sharesTopic = (one: StoredJob, other: StoredJob): boolean =>
  topicsOf(one).some((place) => topicsOf(other).some((another) => isSamePlace(place, another)));

/** The topics whose preferences a job changes. */
function topicsOf({ type, payload }: StoredJob): TopicPlace[] {
  if (type === 'follow-mentioned') return [payload as unknown as TopicPlace];
  if (type !== 'move-topic-preferences') return [];
  const { from, to } = payload as unknown as { from: TopicPlace; to: TopicPlace };
  return [from, to];
}

async function runStep(services: Services, job: StoredJob, step: number): Promise<void> {
  const act = await steps[job.type as OwnJobType]();
  const change = await act(services, job.payload, step, job.position);
  await finishStep(services, job, step, change);
}

/** EventBridge delivers one notice per call. */
export const handler = (event: { detail: JobNotice }): Promise<void> => runJob(awsServices(), event.detail);
