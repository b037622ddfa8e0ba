import type { Message } from '#shared/domain/messages/message.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { textOfHtml } from '#shared/domain/search/html-text.ts';
import { senderAvatarUrl } from '#shared/domain/users/avatar.ts';

/** What a device is told, before it is encrypted. */
export type PushPayload = { type: 'message' | 'remove' | 'test' } & Record<string, unknown>;

/** What tells a device for whom it is. */
type Whom = Pick<Organization, 'name' | 'url'>;

/** A notification is to be looked at, not to be read through; the makers of telephones take 4 KB. */
const MAX_CONTENT_LENGTH = 200;
/** What an account shows beside: ids of so many messages fit as well. */
export const MAX_REMOVED_IDS = 200;

const addressee = ({ name, url }: Whom, userId: number) => ({
  realm_name: name,
  realm_url: url,
  user_id: userId,
});

/** There is a message to look at. */
export const messagePayload = (organization: Whom, userId: number, message: Message): PushPayload => ({
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

/** Devices need not show these messages any more. */
export const removalPayload = (organization: Whom, userId: number, messageIds: number[]): PushPayload => ({
  type: 'remove',
  ...addressee(organization, userId),
  message_ids: messageIds,
});

/** Somebody wants to see whether notifications arrive. */
export const testPayload = (organization: Whom, userId: number, atSeconds: number): PushPayload => ({
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
    // How clients of before know a conversation of more than two.
    ...(userIds.length > 2 && { pm_users: userIds.join(',') }),
  };
}

/** An emoji as the renderer writes it. */
const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g;

/** A device shows characters, so emoji are the characters that they are. */
const withEmojiCharacters = (html: string): string =>
  html.replace(EMOJI, (_span, code: string) =>
    String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))),
  );

/** What a device shows of sound and of pictures that stand in the text. */
const withNames = (html: string): string =>
  html.replace(/<(?:img\s[^>]*?\balt|audio\s[^>]*?\btitle)="([^"]+)"[^>]*>/g, (_tag, name: string) => name);

function excerptOf(html: string): string {
  const characters = [...textOfHtml(withNames(withEmojiCharacters(html))).trim()];
  if (characters.length <= MAX_CONTENT_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_CONTENT_LENGTH).join('')}…`;
}
