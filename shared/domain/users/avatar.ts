import { createHash } from 'node:crypto';
import { type AddressOwner, displayEmailOf } from './address.ts';

/** The address of a user's picture: everybody uses Gravatar, which knows people by a digest of their address. */
export function avatarUrl(email: string, avatarVersion: number): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}`;
}

/**
 * The fields of events and of register that tell of a user's picture. They are made of the address that everybody sees,
 * so that they give no digest of a hidden one away.
 */
export function avatarFields(user: AddressOwner & { avatarVersion: number }, clientGravatar: boolean) {
  const url = clientGravatar ? null : avatarUrl(displayEmailOf(user), user.avatarVersion);
  return { avatar_source: 'G', avatar_url: url, avatar_url_medium: url };
}
