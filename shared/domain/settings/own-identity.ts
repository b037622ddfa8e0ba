import { BadRequest } from '#shared/domain/errors.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { checkEmail, checkFullName } from '#shared/domain/users/create.ts';
import { isAdministrator, type User } from '#shared/domain/users/user.ts';

/**
 * The name that a user takes.
 * @throws BadRequest for one that cannot be, that somebody has where names are unique, or where names stay
 */
export function checkOwnName(
  user: User,
  { settings }: Pick<Organization, 'settings'>,
  given: string,
  everybody: User[],
): string {
  const name = checkFullName(given);
  if (name === user.fullName) return name;
  if (settings.name_changes_disabled && !isAdministrator(user))
    throw new BadRequest('Name changes are disabled in this organization.');
  if (settings.require_unique_names && hasName(everybody, name, user.userId))
    throw new BadRequest('Unique names required in this organization.');
  return name;
}

/** @throws BadRequest where pictures stay */
export function requireMayChangeAvatar(user: User, { settings }: Pick<Organization, 'settings'>): void {
  if (settings.avatar_changes_disabled && !isAdministrator(user))
    throw new BadRequest('Avatar changes are disabled in this organization.');
}

const hasName = (everybody: User[], name: string, exceptUserId: number): boolean =>
  everybody.some(
    ({ userId, fullName }) => userId !== exceptUserId && canonical(fullName) === canonical(name),
  );

const canonical = (name: string): string => name.normalize('NFKC').toLowerCase();

/**
 * A new address needs a proof that it is the user's, by a mail to it, and this service sends none.
 * @throws BadRequest for every address but the present one
 */
export function refuseNewAddress(
  user: User,
  { settings }: Pick<Organization, 'settings'>,
  given: string,
): void {
  if (given.trim() === user.email) return;
  if (settings.email_changes_disabled && !isAdministrator(user))
    throw new BadRequest('Email address changes are disabled in this organization.');
  checkEmail(given);
  throw new BadRequest(
    'This server sends no mail to confirm a new address. An organization owner can change it for you.',
  );
}
