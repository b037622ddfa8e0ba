import { linksOfTopic } from '#shared/domain/linkifiers/links.ts';
import { displayEmailOf } from '#shared/domain/users/address.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Known } from '#shared/markdown/known.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import type { Destination } from './destination.ts';
import type { Recipient, StoredMessage } from './message.ts';

export interface Draft {
  /** Checked by `checkContent`. */
  content: string;
  /** The name of the calling program. */
  client: string;
  isReadBySender: boolean;
  echo?: { queueId: string; localId: string };
}

/** The message that a sender puts at a destination; content and links of its topic are made here, once. */
export function composeMessage(
  sender: User,
  destination: Destination,
  draft: Draft,
  atSeconds: number,
  known: Known,
): StoredMessage {
  const { html } = renderMarkdown(draft.content, known);
  const uploads = uploadsIn(html, known);
  const base = {
    senderId: sender.userId,
    senderEmail: displayEmailOf(sender),
    senderFullName: sender.fullName,
    senderAvatarVersion: sender.avatarVersion,
    ...(sender.avatarPicture !== undefined && { senderAvatarPicture: sender.avatarPicture }),
    client: draft.client,
    atSeconds,
    content: draft.content,
    html,
    ...(uploads.length > 0 && { uploads }),
    isReadBySender: draft.isReadBySender,
    ...(draft.echo && { echo: draft.echo }),
  };
  if (destination.kind === 'direct')
    return { ...base, kind: 'direct', recipients: toRecipients([sender, ...destination.users]) };
  const { channel, topic } = destination;
  const { channelId, name: channelName, isPrivate } = channel;
  const topicLinks = linksOfTopic(topic, known.linker);
  const place = { channelId, channelName, isPublic: !isPrivate, topic };
  return { ...base, kind: 'channel', ...place, ...(topicLinks.length > 0 && { topicLinks }) };
}

/** The paths of files that a rendered text leads to, as far as its author may have them. */
export const uploadsIn = (html: string, { uploads }: Known): string[] =>
  uploads.map(({ pathId }) => pathId).filter((pathId) => html.includes(`="/user_uploads/${pathId}"`));

const toRecipients = (users: User[]): Recipient[] =>
  [...new Map(users.map((user) => [user.userId, user])).values()]
    .sort((a, b) => a.userId - b.userId)
    .map((user) => ({ id: user.userId, email: displayEmailOf(user), fullName: user.fullName }));
