import type { Message } from '#shared/domain/messages/message.ts';
import { identityChunkOf } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { type AddressOwner, displayEmailOf, type User } from './user.ts';

/** The identity of a user in messages. Messages keep it as of sending; a list of changes holds newer ones. */
export interface Identity {
  email: string;
  fullName: string;
  avatarVersion: number;
  avatarPicture?: string;
}

export type IdentityOwner = AddressOwner & Pick<User, 'fullName' | 'avatarVersion' | 'avatarPicture'>;

export const identityOf = (user: IdentityOwner): Identity => ({
  email: displayEmailOf(user),
  fullName: user.fullName,
  avatarVersion: user.avatarVersion,
  ...(user.avatarPicture !== undefined && { avatarPicture: user.avatarPicture }),
});

type Update = Extract<Write, { kind: 'update' }>;

const attributeOf = (userId: number): string => `u${userId}`;

/** Records the present identity for older messages. Needed when name, visible address or picture change. */
export const identityWrite = (user: IdentityOwner): Update => ({
  kind: 'update',
  key: userKeys.identities(identityChunkOf(user.userId)),
  set: { [attributeOf(user.userId)]: identityOf(user) },
});

/** The identities in an item of that list, by user. */
export const readIdentities = (item: Record<string, unknown>): [number, Identity][] =>
  Object.entries(item)
    .filter(([name]) => /^u\d+$/.test(name))
    .map(([name, identity]) => [Number(name.slice(1)), identity as Identity]);

/** The users in a message whose identity may change. */
export const namedIn = (message: Message): number[] =>
  message.kind === 'direct'
    ? [message.senderId, ...message.recipients.map(({ id }) => id)]
    : [message.senderId];

function withSender<One extends Message>(message: One, sender: Identity): One {
  const { senderAvatarPicture: _previous, ...others } = message;
  return {
    ...others,
    senderEmail: sender.email,
    senderFullName: sender.fullName,
    senderAvatarVersion: sender.avatarVersion,
    ...(sender.avatarPicture !== undefined && { senderAvatarPicture: sender.avatarPicture }),
  } as One;
}

/** The message with present names, addresses and pictures. */
export function withIdentities<One extends Message>(message: One, identities: Map<number, Identity>): One {
  const sender = identities.get(message.senderId);
  const named = sender ? withSender(message, sender) : message;
  if (named.kind !== 'direct') return named;
  const recipients = named.recipients.map((recipient) => {
    const { email, fullName } = identities.get(recipient.id) ?? recipient;
    return { ...recipient, email, fullName };
  });
  return { ...named, recipients };
}
