import { createHash } from 'node:crypto';

/** The address of a user's picture: everybody uses Gravatar, which knows people by a digest of their address. */
export function avatarUrl(email: string, avatarVersion: number): string {
  const digest = createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${avatarVersion}`;
}
