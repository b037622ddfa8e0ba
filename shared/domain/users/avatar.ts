import { createHash } from 'node:crypto';
import { isGenerated } from '#shared/domain/pictures/generated.ts';
import { mediumPicture, pictureUrl } from '#shared/domain/pictures/picture.ts';
import type { UserEdit } from './edit.ts';
import { addressUpdateEvent } from './events.ts';
import { type AddressOwner, displayEmailOf, type User } from './user.ts';

/** What decides which picture of a user is shown. */
export type AvatarOwner = AddressOwner & Pick<User, 'avatarVersion' | 'avatarPicture'>;

/** The address of a picture at Gravatar, which identifies people by a hash of their address. */
function gravatarUrl(email: string, avatarVersion: number): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}`;
}

/** The address of a sender's picture from data in the message; null when the client computes it. */
export function senderAvatarUrl(
  sender: { senderEmail: string; senderAvatarVersion: number; senderAvatarPicture?: string },
  clientGravatar: boolean,
): string | null {
  const { senderEmail, senderAvatarVersion, senderAvatarPicture } = sender;
  if (senderAvatarPicture !== undefined) return pictureUrl(senderAvatarPicture);
  return clientGravatar ? null : gravatarUrl(senderEmail, senderAvatarVersion);
}

/** The address of a user's picture: uploaded, generated, or at Gravatar by the visible address. */
export const avatarUrl = (user: AvatarOwner): string =>
  user.avatarPicture === undefined
    ? gravatarUrl(displayEmailOf(user), user.avatarVersion)
    : pictureUrl(user.avatarPicture);

/** Whether the picture was uploaded. */
export const hasOwnPicture = ({ avatarPicture }: Pick<User, 'avatarPicture'>): boolean =>
  avatarPicture !== undefined && !isGenerated(avatarPicture);

/**
 * The picture fields of events and register. They depend on the publicly visible address only, so they leak
 * no hash of a hidden one.
 */
export function avatarFields(user: AvatarOwner, clientGravatar: boolean) {
  const { avatarPicture } = user;
  if (avatarPicture !== undefined)
    return {
      avatar_source: isGenerated(avatarPicture) ? 'J' : 'U',
      avatar_url: pictureUrl(avatarPicture),
      avatar_url_medium: pictureUrl(mediumPicture(avatarPicture)),
    };
  const url = clientGravatar ? null : avatarUrl(user);
  return { avatar_source: 'G', avatar_url: url, avatar_url_medium: url };
}

/** Sets a picture, or without a name the Gravatar one, on condition that the picture has not changed. */
export function avatarEdit(user: User, avatarPicture: string | undefined): UserEdit {
  const set: Partial<User> = { avatarVersion: user.avatarVersion + 1 };
  Object.assign(set, { avatarPicture });
  return {
    set,
    profile: { set: {}, belowOrAbsent: { avatarVersion: user.avatarVersion + 1 } },
    checks: [],
    events: [addressUpdateEvent(user, { ...user, ...set })],
  };
}
