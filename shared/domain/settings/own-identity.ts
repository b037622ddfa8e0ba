import { BadRequest } from '#shared/domain/errors.ts';
import { requireAllowedAddress } from '#shared/domain/organization/domains.ts';
import { mailDomainOf, type Organization } from '#shared/domain/organization/organization.ts';
import { checkEmail, checkFullName } from '#shared/domain/users/create.ts';
import { isAdministrator, requireNoDummy, type User } from '#shared/domain/users/user.ts';

/**
 * The new name of a user.
 * @throws BadRequest for an invalid name, one that is taken if names must be unique, or when names may not
 * change
 */
export function checkOwnName(
  user: User,
  { settings }: Pick<Organization, 'settings'>,
  input: string,
  allUsers: User[],
): string {
  const name = checkFullName(input);
  if (name === user.fullName) return name;
  if (settings.name_changes_disabled && !isAdministrator(user))
    throw new BadRequest('Name changes are disabled in this organization.');
  if (settings.require_unique_names && hasName(allUsers, name, user.userId))
    throw new BadRequest('Unique names required in this organization.');
  return name;
}

/** @throws BadRequest when pictures may not change */
export function requireMayChangeAvatar(user: User, { settings }: Pick<Organization, 'settings'>): void {
  if (settings.avatar_changes_disabled && !isAdministrator(user))
    throw new BadRequest('Avatar changes are disabled in this organization.');
}

const hasName = (allUsers: User[], name: string, exceptUserId: number): boolean =>
  allUsers.some(({ userId, fullName }) => userId !== exceptUserId && canonical(fullName) === canonical(name));

const canonical = (name: string): string => name.normalize('NFKC').toLowerCase();

/**
 * The new address of a user, undefined for the present one. Says nothing about who has it.
 * @throws BadRequest for a malformed one, one that is not allowed, or when addresses may not change
 */
export function checkNewAddress(user: User, organization: Organization, input: string): string | undefined {
  if (input.trim() === user.email) return undefined;
  if (organization.settings.email_changes_disabled && !isAdministrator(user))
    throw new BadRequest('Email address changes are disabled in this organization.');
  const email = checkEmail(input);
  requireNoDummy(email, mailDomainOf(organization));
  requireAllowedAddress(email, organization);
  return email;
}
