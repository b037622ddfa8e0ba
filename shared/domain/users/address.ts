import { BadRequest } from '#shared/domain/errors.ts';
import { emailVisibilities, isAdministrator, isGuest, roles, type User } from './user.ts';

/** What decides who sees which address of a user. */
export type AddressOwner = Pick<User, 'userId' | 'email' | 'emailVisibility' | 'dummyEmail'>;

/** The address that stands for a user whose real one not everyone may see. */
export const dummyEmailOf = (userId: number, domain: string): string => `user${userId}@${domain}`;

/** The address that everybody knows a user by: the real one only where everyone may see it. */
export const displayEmailOf = ({ email, dummyEmail }: AddressOwner): string => dummyEmail ?? email;

/** Whether the viewer is told the real address as such; everyone their own, and nobody without an account. */
export function mayKnowAddress(viewer: User, owner: AddressOwner): boolean {
  if (viewer.userId === owner.userId) return true;
  switch (owner.emailVisibility ?? emailVisibilities.everyone) {
    case emailVisibilities.everyone:
      return viewer.role <= roles.guest;
    case emailVisibilities.members:
      return !isGuest(viewer);
    case emailVisibilities.moderators:
      return viewer.role <= roles.moderator;
    case emailVisibilities.administrators:
      return isAdministrator(viewer);
    default:
      return false;
  }
}

/** The real address, for those who may know it. */
export const deliveryEmailFor = (viewer: User, owner: AddressOwner): string | null =>
  mayKnowAddress(viewer, owner) ? owner.email : null;

const DUMMY = /^user(\d{1,10})@(.+)$/i;

/** The user that a text may be the dummy address of, and the domain that it names. */
export function readDummyEmail(text: string): { userId: number; domain: string } | undefined {
  const [, userId, domain] = DUMMY.exec(text) ?? [];
  return userId === undefined || domain === undefined ? undefined : { userId: Number(userId), domain };
}

/** @throws BadRequest for an address that stands for somebody, or may come to */
export function requireNoDummy(email: string, domain: string): void {
  if (readDummyEmail(email)?.domain.toLowerCase() === domain.toLowerCase())
    throw new BadRequest(`Email '${email}' not allowed in this organization`);
}
