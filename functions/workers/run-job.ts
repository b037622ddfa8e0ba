import { awsServices } from '#shared/adapters/aws-services.ts';
import type { JobType, jobsWithWorkers } from '#shared/domain/jobs.ts';
import { isSamePlace, type TopicPlace } from '#shared/domain/messages/topic.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { findJob, listJobs, type StoredJob, type StoredJobOf } from '#shared/store/log/jobs.ts';
import { isDeleted } from '#shared/store/organization/organization.ts';
import { runSteps, type StepOf } from './steps/run-steps.ts';

type OwnJobType = Exclude<JobType, (typeof jobsWithWorkers)[number]>;

/** Each is loaded with the first job of its kind, because together they are large. */
const steps: { [Type in OwnJobType]: () => Promise<StepOf<Type>> } = {
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
  'mail-organization-deletion': async () =>
    (await import('./steps/mails/mail-organization-deletion.ts')).mailOrganizationDeletion,
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

/** Does the open steps of a job. */
export async function runJob(services: Services, { jobId }: JobNotice): Promise<void> {
  if (await isDeleted(services)) return;
  const job = await findJob(services.table, jobId);
  if (!job) return;
  await runEarlier(services, job);
  if (!isOwn(job)) throw new Error(`No step does jobs of the type ${job.type}`);
  await runOwn(services, job);
}

const isOwn = (job: StoredJob): job is StoredJob & { type: OwnJobType } => job.type in steps;

const runOwn = <Type extends OwnJobType>(services: Services, job: StoredJobOf<Type>): Promise<void> =>
  runSteps(services, job, steps[job.type]);

/**
 * Jobs about topic preferences depend on each other: jobs about one topic run in the order of their causes.
 */
async function runEarlier(services: Services, job: StoredJob): Promise<void> {
  if (topicsOf(job).length === 0) return;
  const earlier = (await listJobs(services.table)).filter(
    (earlier) => earlier.position < job.position && sharesTopic(earlier, job),
  );
  for (const { jobId, type } of earlier) await runJob(services, { jobId, type });
}

const sharesTopic = (storedJob: StoredJob, other: StoredJob): boolean =>
  topicsOf(storedJob).some((place) => topicsOf(other).some((another) => isSamePlace(place, another)));

/** The topics whose preferences a job changes. */
function topicsOf({ type, payload }: StoredJob): TopicPlace[] {
  if (type === 'follow-mentioned') return [payload];
  return type === 'move-topic-preferences' ? [payload.from, payload.to] : [];
}

/** EventBridge delivers one notice per call. */
export const handler = (event: { detail: JobNotice }): Promise<void> => runJob(awsServices(), event.detail);
