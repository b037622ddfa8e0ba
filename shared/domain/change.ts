import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { StoredMessage } from './messages/message.ts';

export const jobTypes = [
  'welcome-user',
  'notify-subscribed',
  'announce-channels',
  'answer-confirmation',
  'notify-scheduling-failure',
  'mark-unsubscribed-read',
  'align-subscriptions',
  'note-channel-changes',
  'notify-added-to-group',
  'remove-profile-values',
  'confirm-report',
  'register-push-device',
  'mail-invitations',
  'mail-account-notice',
  'mail-deactivation',
  'mail-organization-deletion',
  'mail-password-reset',
  'mail-address-change',
  'mail-address-notice',
  'complete-joining',
  'revoke-invitations',
  'withdraw-grants',
  'forget-drafts',
  'forget-message-parts',
  'move-messages',
  'move-topic-preferences',
  'note-moved-messages',
  'follow-mentioned',
  'remove-files',
  'delete-sent-messages',
  'call-webhook',
  'report-webhook-failure',
  'preview-links',
  'export-data',
  'erase-organization',
] as const;
export type JobType = (typeof jobTypes)[number];

/** Jobs with a dedicated worker of the same name; `run-job` does all others. */
export const jobsWithWorkers = [
  'export-data',
  'preview-links',
  'erase-organization',
] as const satisfies JobType[];

/** Work outside the request; a worker behind the bus does it exactly once. */
export interface Job {
  type: JobType;
  payload: Item;
  /** The open steps. Each runs once, in a transaction that also removes it from the job. */
  steps: readonly number[];
}

/** The steps of a job that has only one: its number means nothing. */
export const ONE_STEP: readonly number[] = [0];

/** A part that one decision adds to the change of another. */
export interface ChangePart {
  writes: Write[];
  events: LogEvent[];
}

/** The outcome of a decision. All of it becomes true in one transaction, or nothing. */
export interface Change {
  /** At most 90 writes. Writes that must contain the change's log position are built from it. */
  writes?: Write[] | ((position: number) => Write[]);
  events?: LogEvent[];
  message?: StoredMessage;
  jobs?: Job[];
}
