import { createHash } from 'node:crypto';
import { BadRequest, ExpectationMismatch } from '#shared/domain/errors.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { isSameMentions } from '#shared/domain/messages/mentions.ts';
import type { Message, MessageText, StoredMessage } from '#shared/domain/messages/message.ts';
import { isMeMessage } from '#shared/domain/messages/record.ts';
import type { OrganizationSettings } from '#shared/domain/organization/settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import { KEPT_TEXTS } from './history.ts';

/** Replaces a text that its author deleted. */
const DELETED = '(deleted)';
/** An edit that was started in time may take this long to arrive. */
const GRACE_SECONDS = 20;

/** Time limits, and the moment to compare them with. */
export interface Timing {
  settings: OrganizationSettings;
  nowSeconds: number;
  /** Extra time beyond the limits. */
  graceSeconds?: number;
}

/** Whether a message is older than a limit allows; null means no limit. */
export const isPast = (
  { atSeconds }: Pick<Message, 'atSeconds'>,
  limitSeconds: number | null,
  nowSeconds: number,
): boolean => limitSeconds !== null && nowSeconds - atSeconds > limitSeconds;

/** @throws BadRequest when the user could not change the text of the message */
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

/** The text to store; an empty one deletes the message's text. @throws BadRequest for null bytes */
export const readEditedContent = (input: string): string =>
  input.trim() === '' ? DELETED : checkContent(input);

/** @throws ExpectationMismatch when the client edited an outdated text */
export function requireExpected(message: Message, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  if (createHash('sha256').update(message.content).digest('hex') !== sha256.toLowerCase())
    throw new ExpectationMismatch();
}

/** The message with a new text. */
export function withContent<One extends StoredMessage>(
  message: One,
  { content, html, mentions, uploads }: MessageText,
  atSeconds: number,
): One {
  const { mentions: _called, uploads: _named, ...rest } = message;
  return {
    ...(rest as One),
    content,
    html,
    ...(mentions && { mentions }),
    ...(uploads && { uploads }),
    editedAtSeconds: atSeconds,
    keptEdits: Math.min((message.keptEdits ?? 0) + 1, KEPT_TEXTS),
  };
}

/** The event fields about a changed text. */
export const contentUpdate = (before: StoredMessage, after: MessageText) => ({
  orig_content: before.content,
  orig_rendered_content: before.html,
  content: after.content,
  rendered_content: after.html,
  is_me_message: isMeMessage(after.content),
  ...(!isSameMentions(before.mentions, after.mentions) && { mentionsBefore: before.mentions ?? {} }),
});
