import { linkToMessage } from '#shared/domain/messages/link.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { fenced, mention, nameMessage, quotable } from '#shared/domain/messages/quote.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import { HIDDEN_NAME } from '#shared/domain/users/visible-users.ts';
import type { Reminder } from './scheduled-message.ts';

export const MAX_NOTE_LENGTH = 1000;

/** The notification bot's text: the link to the message, the note, and a quotation. */
export function describeReminder(
  organization: Organization,
  message: Message,
  note: string,
  say: Say,
): string {
  const request =
    message.kind === 'channel'
      ? say('reminders.forMessage', { message: nameMessage(message) })
      : say('reminders.forDirectMessage');
  const link = linkToMessage(organization.url, message);
  const { senderId, senderFullName } = message;
  // A mention of a user whom the reader may not see would be broken.
  const person = senderFullName === HIDDEN_NAME ? senderFullName : mention(senderId, senderFullName);
  const text = `${withNote(request, note, say)}\n\n${say('reminders.said', { person, link })}\n`;
  return text + fenced('quote', quotable(message, text));
}

/** The text for a message that its reader may no longer read, or that was deleted. */
export const describeLostMessage = (note: string, say: Say): string =>
  withNote(say('reminders.forLostMessage'), note, say);

function withNote(request: string, note: string, say: Say): string {
  if (note === '') return request;
  return `${request} ${say('reminders.note')}\n > ${note.replaceAll('\n', '\n > ')}`;
}

/** The words of the owner of a reminder. */
export function noteOf({ note, content }: Reminder): string {
  if (note !== undefined) return note;
  const [, quote = ''] = /^You requested[\s\S]*?\. Note:\n > ([\s\S]*?)\n\n@_\*\*/.exec(content) ?? [];
  return quote.replaceAll('\n > ', '\n');
}
