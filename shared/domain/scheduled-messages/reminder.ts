import { linkToMessage } from '#shared/domain/messages/link.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { fenced, mention, nameMessage, quotable } from '#shared/domain/messages/quote.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';

export const MAX_NOTE_LENGTH = 1000;

/** The notification bot's text: the link to the message, the note, and a quotation. */
export function describeReminder(organization: Organization, message: Message, note: string): string {
  const what = message.kind === 'channel' ? nameMessage(message) : 'the following direct message';
  const quote = note.replaceAll('\n', '\n > ');
  const head = `You requested a reminder for ${what}.${note === '' ? '' : ` Note:\n > ${quote}`}`;
  const link = linkToMessage(organization.url, message);
  const said = `${mention(message.senderId, message.senderFullName)} [said](${link}):`;
  const text = `${head}\n\n${said}\n`;
  return text + fenced('quote', quotable(message, text));
}
