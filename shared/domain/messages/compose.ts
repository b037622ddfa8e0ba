import { type Linker, linksOfTopic } from '#shared/domain/linkifiers/links.ts';
import { displayEmailOf } from '#shared/domain/users/address.ts';
import type { User } from '#shared/domain/users/user.ts';
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
