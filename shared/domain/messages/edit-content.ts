import { createHash } from 'node:crypto';
import { BadRequest, ExpectationMismatch } from '#shared/domain/errors.ts';
import type { OrganizationSettings } from '#shared/domain/organization/settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { ChannelView } from './access.ts';
import { checkContent } from './content.ts';
import { KEPT_TEXTS } from './history.ts';
import type { Message, StoredMessage } from './message.ts';
import { isMeMessage } from './record.ts';

/** What stands for a text that its author took away. */
const DELETED = '(deleted)';
/** Whoever began to edit in time shall not be too late by what the way to the service takes. */
const GRACE_SECONDS = 20;

/** Limits of time, and the moment that they are held against. */
export interface Timing {
  settings: OrganizationSettings;
  nowSeconds: number;
  /** So many seconds later is in time all the same. */
  graceSeconds?: number;
}

/** Whether a message is older than a limit lets it be; a limit of null is none. */
export const isPast = (
  { atSeconds }: Pick<Message, 'atSeconds'>,
  limitSeconds: number | null,
  nowSeconds: number,
): boolean => limitSeconds !== null && nowSeconds - atSeconds > limitSeconds;

/** @throws BadRequest where the user could not change the text of the message */
export function requireMayEditContent(
  user: User,
  message: Message,
  view: ChannelView | undefined,
  { settings, nowSeconds, graceSeconds = 0 }: Timing,
): void {
  if (!settings.allow_message_editing)
    throw new BadRequest('Your organization has turned off message editing');
  if (message.senderId !== user.userId || view?.channel.isArchived)
    throw new BadRequest("You don't have permission to edit this message");
  const limit = settings.message_content_edit_limit_seconds;
  if (isPast(message, limit === null ? null : limit + graceSeconds, nowSeconds))
    throw new BadRequest('The time limit for editing this message has passed');
}

/** The same for an edit that arrives now. @throws BadRequest */
export const requireMayEditContentNow = (
  user: User,
  message: Message,
  view: ChannelView | undefined,
  timing: Timing,
): void => requireMayEditContent(user, message, view, { ...timing, graceSeconds: GRACE_SECONDS });

/** The text as it is stored; an empty one takes the message's text away. @throws BadRequest for null bytes */
export const readEditedContent = (given: string): string =>
  given.trim() === '' ? DELETED : checkContent(given);

/** @throws ExpectationMismatch where the client edited another text than the one that is stored */
export function requireExpected(message: Message, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  if (createHash('sha256').update(message.content).digest('hex') !== sha256.toLowerCase())
    throw new ExpectationMismatch();
}

/** What a message says instead of what it said. */
export interface NewText {
  content: string;
  html: string;
  /** The paths of the files that it names. */
  uploads: string[];
}

/** The message with another text. */
export const withContent = <One extends StoredMessage>(
  message: One,
  { content, html, uploads }: NewText,
  atSeconds: number,
): One => {
  const { uploads: _before, ...rest } = message;
  return {
    ...rest,
    content,
    html,
    ...(uploads.length > 0 && { uploads }),
    editedAtSeconds: atSeconds,
    keptEdits: Math.min((message.keptEdits ?? 0) + 1, KEPT_TEXTS),
  } as One;
};

/** What the event of a change says of the text. */
export const contentUpdate = (before: StoredMessage, after: { content: string; html: string }) => ({
  orig_content: before.content,
  orig_rendered_content: before.html,
  content: after.content,
  rendered_content: after.html,
  is_me_message: isMeMessage(after.content),
});
