import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import type { Note } from './channels/notes.ts';
import type { InvitationPlan } from './invitations/invitation.ts';
import type { Message } from './messages/message.ts';
import type { DoneMove } from './messages/moving/move-notes.ts';
import type { MoveRest } from './messages/moving/move-order.ts';
import type { RemovedValues } from './profile/remove-values.ts';
import type { GivenToken } from './push/registration.ts';
import type { SentDeletion } from './users/clean-up.ts';
import type { Welcome } from './users/create.ts';
import type { WebhookCall } from './webhooks/calls.ts';
import type { WebhookReport } from './webhooks/outcome.ts';

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

/** The payload of each type of job. `JobOf` requires an entry for every type. */
export interface JobPayloads {
  'welcome-user': Welcome & { userId: number };
  /** The step is the user. */
  'notify-subscribed': { actorId: number; rows: [userId: number, channelIds: number[]][] };
  /** Each step is one channel, and the last one announces all. */
  'announce-channels': { actorId: number; channelIds: number[] };
  'answer-confirmation': { email: string; plan: InvitationPlan };
  'notify-scheduling-failure': { userId: number; scheduledMessageId: number; reason: string };
  /** The step is a row. */
  'mark-unsubscribed-read': { rows: [userId: number, channelId: number][] };
  /** The step is the user. */
  'align-subscriptions': Nothing;
  /** The step is a note. */
  'note-channel-changes': { actorId: number; channelId: number; notes: Note[] };
  /** The step is the user. */
  'notify-added-to-group': { actorId: number; groupId: number };
  'remove-profile-values': RemovedValues;
  'confirm-report': { reporterId: number; content: string };
  'register-push-device': GivenToken & { userId: number; deviceId: number };
  /** The step is the invitation. */
  'mail-invitations': Nothing;
  'mail-account-notice': { email: string };
  'mail-deactivation': { userId: number; email: string; comment: string };
  /** The step is the owner. */
  'mail-organization-deletion': { byUserId: number; eraseAtSeconds: number };
  'mail-password-reset': { email: string };
  'mail-address-change': { userId: number; email: string };
  'mail-address-notice': { from: string; to: string };
  /** The first steps are batches of channels, the others one group each. */
  'complete-joining': { userId: number; channelIds: number[]; groupIds: number[] };
  /** The invitations that were open at the inviter's deactivation. */
  'revoke-invitations': { userId: number; invitationIds: number[] };
  'withdraw-grants': { userId: number };
  'forget-drafts': { userId: number };
  'forget-message-parts': { messages: MessageParts[] };
  'move-messages': MoveRest;
  'move-topic-preferences': MovedTopic;
  /** The step is a note. */
  'note-moved-messages': { actorId: number; move: DoneMove };
  /** The step is the user. */
  'follow-mentioned': TopicPlace;
  'remove-files': { files: string[] };
  'delete-sent-messages': SentDeletion;
  /** The cause of the job is the message. */
  'call-webhook': WebhookCall;
  'report-webhook-failure': WebhookReport;
  /** The edited message; without it, the message is the job's cause. */
  'preview-links': { messageId?: number };
  /** An export to make, or an ended one with a file to delete. */
  'export-data': { exportId: number; file?: string | undefined };
  'erase-organization': Nothing;
}

/** The payload of a job whose steps say everything. */
type Nothing = Record<string, never>;

/** The places of a deleted message's reactions, submessages, earlier texts and files. */
export interface MessageParts {
  messageId: number;
  reactionsIn: Message['reactionsIn'];
  submessagesIn: Message['submessagesIn'];
  uploads: Message['uploads'];
}

/** A topic all of whose messages moved. */
export interface MovedTopic {
  from: TopicPlace;
  to: TopicPlace;
  /** The new topic had messages before. */
  isMerged: boolean;
}

/** Jobs with a dedicated worker of the same name; `run-job` does all others. */
export const jobsWithWorkers = [
  'export-data',
  'preview-links',
  'erase-organization',
] as const satisfies JobType[];

/** Work outside the request; a worker behind the bus does it exactly once. */
export interface JobOf<Type extends JobType> {
  type: Type;
  payload: JobPayloads[Type];
  /** The open steps. Each runs once, in a transaction that also removes it from the job. */
  steps: readonly number[];
}

/** A job of any type; its type decides its payload. */
export type Job = { [Type in JobType]: JobOf<Type> }[JobType];

/** The steps of a job that has only one: its number means nothing. */
export const ONE_STEP: readonly number[] = [0];
