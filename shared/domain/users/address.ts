import { BadRequest } from '#shared/domain/errors.ts';
import { emailVisibilities, isAdministrator, isGuest, roles, type User } from './user.ts';

/** What decides which address of a user is shown. */
export type AddressOwner = Pick<User, 'userId' | 'email' | 'emailVisibility' | 'dummyEmail'>;

/** The generated address of a user whose real one is hidden. */
export const dummyEmailOf = (userId: number, domain: string): string => `user${userId}@${domain}`;

/** The address that all users see: the real one only if its visibility is everyone. */
export const displayEmailOf = ({ email, dummyEmail }: AddressOwner): string => dummyEmail ?? email;

/** Whether the viewer may see the real address. Users may always see their own; anonymous callers none. */
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

/** The real address, or null for viewers who may not see it. */
export const deliveryEmailFor = (viewer: User, owner: AddressOwner): string | null =>
  mayKnowAddress(viewer, owner) ? owner.email : null;

const DUMMY = /^user(\d{1,10})@(.+)$/i;

/** The user id and domain of a text in the form of a generated address. */
export function readDummyEmail(text: string): { userId: number; domain: string } | undefined {
  const [, userId, domain] = DUMMY.exec(text) ?? [];
  return userId === undefined || domain === undefined ? undefined : { userId: Number(userId), domain };
}

/** @throws BadRequest for an address in the form of the generated ones */
export function requireNoDummy(email: string, domain: string): void {
  if (readDummyEmail(email)?.domain.toLowerCase() === domain)
    throw new BadRequest(`Email '${email}' not allowed in this organization`);
}
