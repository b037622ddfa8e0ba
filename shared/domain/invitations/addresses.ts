import { BadRequest, InvitationFailed, type InvitationProblem } from '#shared/domain/errors.ts';
import { requireAllowedAddress } from '#shared/domain/organization/domains.ts';
import { mailDomainOf, type Organization } from '#shared/domain/organization/organization.ts';
import { unlessRefused } from '#shared/domain/unless-refused.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { canonicalAddress } from '#shared/domain/users/email-address.ts';
import { requireNoDummy, type User } from '#shared/domain/users/user.ts';

/** The maximum number of people invited by one call. */
const MAX_ADDRESSES = 100;
const NAMED = /<([^<>]*)>\s*$/;

/**
 * The addresses of a text, separated by commas or new lines, without duplicates in any letter case and spelling. A name
 * may precede an address in angle brackets.
 * @throws BadRequest for none or too many
 */
export function listAddresses(text: string): string[] {
  const written = text
    .split(/[,\n]/)
    .map((part) => (NAMED.exec(part)?.[1] ?? part).trim())
    .filter((value) => value !== '')
    .map((address) => canonicalAddress(address) ?? address);
  const addresses = [...new Map(written.map((address) => [address.toLowerCase(), address])).values()];
  if (addresses.length === 0) throw new BadRequest('You must specify at least one email address.');
  if (addresses.length > MAX_ADDRESSES)
    throw new BadRequest(`Too many email addresses in one request (maximum ${MAX_ADDRESSES}).`);
  return addresses;
}

/** Addresses that cannot be invited at all. */
export function listImpossible(addresses: string[], organization: Organization): InvitationProblem[] {
  return addresses.flatMap((email): InvitationProblem[] => {
    const refusal = unlessRefused(() => requireInvitable(email, organization));
    return refusal instanceof BadRequest ? [[email, refusal.message, false]] : [];
  });
}

/** @throws BadRequest for a malformed address, or one that may not join the organization */
export function requireInvitable(email: string, organization: Organization): void {
  checkEmail(email);
  requireNoDummy(email, mailDomainOf(organization));
  requireAllowedAddress(email, organization);
}

type Known = Pick<User, 'email' | 'isActive' | 'isSystemBot'>;

/** Addresses of existing accounts. */
export const listTaken = (addresses: string[], accounts: Known[]): InvitationProblem[] => {
  const byAddress = new Map(accounts.map((account) => [account.email.toLowerCase(), account]));
  return addresses.flatMap((email): InvitationProblem[] => {
    const account = byAddress.get(email.toLowerCase());
    return account ? [[email, reasonOf(account), !account.isActive]] : [];
  });
};

function reasonOf({ isActive, isSystemBot }: Known): string {
  if (isSystemBot) return 'Reserved for system bots.';
  return isActive ? 'Already has an account.' : 'Account has been deactivated.';
}

/** @throws InvitationFailed when an address is invalid, or when all of them have accounts */
export function requireSomebody(
  addresses: string[],
  impossible: InvitationProblem[],
  taken: InvitationProblem[],
): void {
  if (impossible.length > 0)
    throw new InvitationFailed("Some emails did not validate, so we didn't send any invitations.", [
      ...impossible,
      ...taken,
    ]);
  if (taken.length === addresses.length)
    throw new InvitationFailed("We weren't able to invite anyone.", taken);
}

/** The error after the other people were invited, when some addresses have accounts. */
export const someAreMembers = (taken: InvitationProblem[]): InvitationFailed =>
  new InvitationFailed(
    "Some of those addresses are already using this organization, so we didn't send them an invitation. We did send invitations to everyone else!",
    taken,
    { sent: true },
  );
