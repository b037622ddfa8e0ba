import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { standInPicture } from '#shared/domain/pictures/generated.ts';
import { mediumPicture, pictureFile } from '#shared/domain/pictures/picture.ts';
import { avatarEdit, hasOwnPicture } from './avatar.ts';
import { nameEdits } from './edit.ts';
import type { User } from './user.ts';
import { userWrites } from './writes.ts';

/** Which messages are deleted with an account (reference, `actions` of deactivation). */
export interface DeletedMessages {
  inPublicChannels: boolean;
  inPrivateChannels: boolean;
  direct: boolean;
}

/** What an administrator wants deleted when users are deactivated. */
export interface CleanUp {
  /** Deletes their names and pictures. */
  deletesProfile: boolean;
  deletes: DeletedMessages;
  /** The mail to the deactivated person with the administrator's comment; undefined for none. */
  notice: { comment: string } | undefined;
}

const DELETED_NAME = 'Deleted user';

/** Deletes name and uploaded picture; undefined when that was done before. */
export function profileDeletion(
  user: User,
  organization: Organization,
): { change: Change; left: User } | undefined {
  const { userId, avatarPicture } = user;
  const isOwn = avatarPicture !== undefined && hasOwnPicture(user);
  const edits = [
    ...nameEdits(user, DELETED_NAME),
    ...(isOwn ? [avatarEdit(user, standInPicture(organization, userId))] : []),
  ];
  if (edits.length === 0) return undefined;
  const set: Partial<User> = Object.assign({}, ...edits.map((edit) => edit.set));
  const profile = edits.find((edit) => edit.profile)?.profile;
  const files = !isOwn ? [] : [avatarPicture, mediumPicture(avatarPicture)];
  const change: Change = {
    writes: userWrites(user, set, profile && { profile }),
    events: edits.flatMap(({ events }) => events),
    jobs:
      files.length > 0
        ? [{ type: 'remove-files', payload: { files: files.map(pictureFile) }, steps: ONE_STEP }]
        : [],
  };
  return { change, left: { ...user, ...set } };
}

/**
 * The data of the job `delete-sent-messages`. Each step covers a range of log positions, the first one the
 * newest.
 */
export interface SentDeletion {
  userIds: number[];
  deletes: DeletedMessages;
  /** The end of the log when the job was planned. */
  end: number;
  stride: number;
}

/** A worker can read and, if necessary, delete this many positions within its time limit. */
const SMALLEST_STRIDE = 10_000;
const MOST_STEPS = 500;

/** The job that deletes the users' earlier messages; none when nothing is to be deleted. */
export function deletionJobs(users: User[], deletes: DeletedMessages, end: number): Job[] {
  if (!Object.values(deletes).includes(true)) return [];
  const stride = Math.max(SMALLEST_STRIDE, Math.ceil(end / MOST_STEPS));
  const payload = { userIds: users.map(({ userId }) => userId), deletes, end, stride };
  const steps = Array.from({ length: Math.max(1, Math.ceil(end / stride)) }, (_, step) => step);
  return [{ type: 'delete-sent-messages', payload, steps }];
}

/**
 * The range of a step: after the first position and up to the second, nothing from the job's own position on.
 */
export const rangeOf = ({ end, stride }: SentDeletion, step: number, position: number) => ({
  after: Math.max(0, end - (step + 1) * stride),
  upTo: step === 0 ? position - 1 : end - step * stride,
});

/** Whether a message is to be deleted, by its present place. */
export function isToGo(
  message: MessageFacts,
  { userIds, deletes }: SentDeletion,
  channels: ReadonlyMap<number, Channel>,
): boolean {
  if (!userIds.includes(message.senderId)) return false;
  if (message.kind === 'direct') return deletes.direct;
  const channel = channels.get(message.channelId);
  if (!channel) return false;
  return channel.isPrivate ? deletes.inPrivateChannels : deletes.inPublicChannels;
}

/** The job that mails a person that their account was deactivated. */
export const deactivationNotice = ({ userId, email }: User, comment: string): Job => ({
  type: 'mail-deactivation',
  payload: { userId, email, comment },
  steps: ONE_STEP,
});
