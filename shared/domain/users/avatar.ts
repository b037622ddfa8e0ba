import { createHash } from 'node:crypto';
import { isGenerated } from '#shared/domain/pictures/generated.ts';
import { mediumPicture, pictureUrl } from '#shared/domain/pictures/picture.ts';
import { type AddressOwner, displayEmailOf } from './address.ts';
import type { UserEdit } from './edit.ts';
import { addressUpdateEvent } from './events.ts';
import type { User } from './user.ts';

/** What decides which picture of a user is shown. */
export type AvatarOwner = AddressOwner & Pick<User, 'avatarVersion' | 'avatarPicture'>;

/** The address of a picture at Gravatar, which knows people by a digest of their address. */
function gravatarUrl(email: string, avatarVersion: number): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}`;
}

/**
 * The address of a sender's picture, by what the message says of them; null where the client makes it up itself.
 */
export function senderAvatarUrl(
  sender: { senderEmail: string; senderAvatarVersion: number; senderAvatarPicture?: string },
  clientGravatar: boolean,
): string | null {
  const { senderEmail, senderAvatarVersion, senderAvatarPicture } = sender;
  if (senderAvatarPicture !== undefined) return pictureUrl(senderAvatarPicture);
  return clientGravatar ? null : gravatarUrl(senderEmail, senderAvatarVersion);
}

/** The address of a user's picture: one that they uploaded or that was generated, or that of their shown address at Gravatar. */
export const avatarUrl = (user: AvatarOwner): string =>
  user.avatarPicture === undefined
    ? gravatarUrl(displayEmailOf(user), user.avatarVersion)
    : pictureUrl(user.avatarPicture);

/** Whether the picture is one that was uploaded. */
export const hasOwnPicture = ({ avatarPicture }: Pick<User, 'avatarPicture'>): boolean =>
  avatarPicture !== undefined && !isGenerated(avatarPicture);

/**
 * The fields of events and of register that tell of a user's picture. They are made of the address that everybody sees,
 * so that they give no digest of a hidden one away.
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

/** Another picture, or without a name the one at Gravatar; fails when the picture is not the one that was seen. */
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
