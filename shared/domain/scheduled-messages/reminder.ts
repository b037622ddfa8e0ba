import { linkToMessage } from '#shared/domain/messages/link.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { fenced, mention, nameMessage, quotable } from '#shared/domain/messages/quote.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';

import type { Reminder } from './scheduled-message.ts';

export const MAX_NOTE_LENGTH = 1000;

/** The notification bot's text: the link to the message, the note, and a quotation. */
export function describeReminder(organization: Organization, message: Message, note: string): string {
  const what = message.kind === 'channel' ? nameMessage(message) : 'the following direct message';
  const head = headOf(what, note);
  const link = linkToMessage(organization.url, message);
  const said = `${mention(message.senderId, message.senderFullName)} [said](${link}):`;
  const text = `${head}\n\n${said}\n`;
  return text + fenced('quote', quotable(message, text));
}

/** The text for a message that its reader may no longer read, or that was deleted. */
export const describeLostMessage = (note: string): string =>
  headOf('a message that you can no longer read', note);

function headOf(what: string, note: string): string {
  const quote = note.replaceAll('\n', '\n > ');
  return `You requested a reminder for ${what}.${note === '' ? '' : ` Note:\n > ${quote}`}`;
}

/** The words of the owner of a reminder. */
export function noteOf({ note, content }: Reminder): string {
  if (note !== undefined) return note;
  const [, quote = ''] = /^You requested[\s\S]*?\. Note:\n > ([\s\S]*?)\n\n@_\*\*/.exec(content) ?? [];
  return quote.replaceAll('\n > ', '\n');
}
