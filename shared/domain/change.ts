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
  'complete-joining',
  'revoke-invitations',
  'forget-drafts',
  'forget-message-parts',
  'move-messages',
  'move-topic-preferences',
  'note-moved-messages',
  'follow-mentioned',
  'remove-files',
  'delete-sent-messages',
  'export-data',
] as const;
export type JobType = (typeof jobTypes)[number];

/** Jobs with a worker of their own, which has the same name; `run-job` does all others. */
export const jobsWithWorkers = ['export-data'] as const satisfies JobType[];

/** Work that need not happen within the request; a worker behind the bus does it, once. */
export interface Job {
  type: JobType;
  payload: Item;
  /** Numbers of the steps; each one is done once, in a transaction that takes it out of the job. */
  steps: number[];
}

/** What one decision adds to the change of another. */
export interface ChangePart {
  writes: Write[];
  events: LogEvent[];
}

/** What a decision makes of the world: all of it becomes true in one transaction, or nothing. */
export interface Change {
  /** At most 90 writes. Those that must name the change's place in the log are built from its position. */
  writes?: Write[] | ((position: number) => Write[]);
  events?: LogEvent[];
  message?: StoredMessage;
  jobs?: Job[];
}
