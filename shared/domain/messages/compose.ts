import { limits } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type Linker, linksOfTopic } from '#shared/domain/linkifiers/links.ts';
import { displayEmailOf, type User } from '#shared/domain/users/user.ts';
import type { Known } from '#shared/markdown/known.ts';
import type { Destination } from './destination.ts';
import type { MessageText, Recipient, StoredMessage } from './message.ts';

export interface Draft {
  text: MessageText;
  /** The name of the sending program. */
  client: string;
  isReadBySender: boolean;
  echo?: { queueId: string; localId: string };
}

/** Composes the message for a destination; the links of its topic are computed once, here. */
export function composeMessage(
  sender: User,
  destination: Destination,
  draft: Draft,
  atSeconds: number,
  linker: Linker,
): StoredMessage {
  const base = {
    senderId: sender.userId,
    senderEmail: displayEmailOf(sender),
    senderFullName: sender.fullName,
    senderAvatarVersion: sender.avatarVersion,
    ...(sender.avatarPicture !== undefined && { senderAvatarPicture: sender.avatarPicture }),
    client: draft.client,
    atSeconds,
    ...draft.text,
    isReadBySender: draft.isReadBySender,
    ...(draft.echo && { echo: draft.echo }),
  };
  if (destination.kind === 'direct')
    return { ...base, kind: 'direct', recipients: toRecipients([sender, ...destination.users]) };
  const { channel, topic } = destination;
  const { channelId, name: channelName, isPrivate } = channel;
  const topicLinks = linksOfTopic(topic, linker);
  const place = { channelId, channelName, isPublic: !isPrivate, topic };
  return { ...base, kind: 'channel', ...place, ...(topicLinks.length > 0 && { topicLinks }) };
}

/** The files that a rendered text links to and its author may access. */
export const uploadsIn = (html: string, { uploads }: Known): string[] =>
  uploads.map(({ pathId }) => pathId).filter((pathId) => html.includes(`="/user_uploads/${pathId}"`));

const toRecipients = (users: User[]): Recipient[] =>
  [...new Map(users.map((user) => [user.userId, user])).values()]
    .sort((a, b) => a.userId - b.userId)
    .map((user) => ({ id: user.userId, email: displayEmailOf(user), fullName: user.fullName }));

const TRUNCATED = '\n[message truncated]';

/**
 * The content to store: trimmed of trailing white space and leading blank lines, at most 10 000 code points.
 * @throws BadRequest for empty content and null bytes
 */
export function checkContent(input: string): string {
  if (input.includes('\0')) throw new BadRequest('Message must not contain null bytes');
  const first = input.search(/\S/);
  if (first < 0) throw new BadRequest('Message must not be empty');
  const content = input.slice(input.lastIndexOf('\n', first) + 1).trimEnd();
  // A code point is at most two characters, so the rest need not be split.
  const characters = [...content.slice(0, 2 * limits.message + 1)];
  if (characters.length <= limits.message) return content;
  return characters.slice(0, limits.message - TRUNCATED.length).join('') + TRUNCATED;
}

const READING_CLIENTS = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
  // Part of every browser's User-Agent.
  'mozilla',
]);

/**
 * Whether messages sent by this program count as read by their sender: yes for clients of people, no for
 * scripts.
 */
export function readsOwnMessages(client: string): boolean {
  const name = client.toLowerCase();
  return READING_CLIENTS.has(name) || name.includes('desktop app');
}
