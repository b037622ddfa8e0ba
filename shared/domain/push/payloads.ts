import { textOfHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { senderAvatarUrl } from '#shared/domain/users/avatar.ts';

/** The content of a notification before encryption. */
export type PushPayload = { type: 'message' | 'remove' | 'test' } & Record<string, unknown>;

/** Identifies the recipient's organization. */
type Addressee = Pick<Organization, 'name' | 'url'>;

/** Notifications show an excerpt only; push services accept 4 KB. */
const MAX_CONTENT_LENGTH = 200;
/** Besides the account's data, this many message ids fit. */
export const MAX_REMOVED_IDS = 200;

const addressee = ({ name, url }: Addressee, userId: number) => ({
  realm_name: name,
  realm_url: url,
  user_id: userId,
});

/** A new message. */
export const messagePayload = (organization: Addressee, userId: number, message: Message): PushPayload => ({
  type: 'message',
  ...addressee(organization, userId),
  message_id: message.messageId,
  sender_id: message.senderId,
  sender_full_name: message.senderFullName,
  sender_avatar_url: new URL(senderAvatarUrl(message, false) ?? '', organization.url).href,
  time: message.atSeconds,
  content: excerptOf(message.html),
  ...placeOf(message),
});

/** The device can remove notifications for these messages. */
export const removalPayload = (
  organization: Addressee,
  userId: number,
  messageIds: number[],
): PushPayload => ({
  type: 'remove',
  ...addressee(organization, userId),
  message_ids: messageIds,
});

/** A test notification. */
export const testPayload = (organization: Addressee, userId: number, atSeconds: number): PushPayload => ({
  type: 'test',
  ...addressee(organization, userId),
  time: atSeconds,
});

function placeOf(message: Message) {
  if (message.kind === 'channel')
    return {
      recipient_type: 'channel',
      channel_id: message.channelId,
      channel_name: message.channelName,
      topic: message.topic,
    };
  const userIds = message.recipients.map(({ id }) => id);
  return {
    recipient_type: 'direct',
    recipient_user_ids: userIds,
    // The older field for conversations of more than two.
    ...(userIds.length > 2 && { pm_users: userIds.join(',') }),
  };
}

/** An emoji as rendered. */
const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g;

/** Devices show plain text, so emoji become characters. */
const withEmojiCharacters = (html: string): string =>
  html.replace(EMOJI, (_span, code: string) =>
    String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))),
  );

/** Replaces inline audio and pictures by their names. */
const withNames = (html: string): string =>
  html.replace(/<(?:img\s[^>]*?\balt|audio\s[^>]*?\btitle)="([^"]+)"[^>]*>/g, (_tag, name: string) => name);

function excerptOf(html: string): string {
  const characters = [...textOfHtml(withNames(withEmojiCharacters(html))).trim()];
  if (characters.length <= MAX_CONTENT_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_CONTENT_LENGTH).join('')}…`;
}
