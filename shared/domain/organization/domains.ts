import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { asciiDomainOf } from '#shared/domain/users/email-address.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import type { Organization } from './organization.ts';
import { organizationChange } from './organization-change.ts';

/** An e-mail domain whose addresses may join. */
export interface Domain {
  domain: string;
  /** Whether subdomains are included. */
  allowsSubdomains: boolean;
}

const MAX_DOMAINS = 100;
const DOMAIN = /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The domain record of the protocol. */
export const toDomainRecord = ({ domain, allowsSubdomains }: Domain) => ({
  domain,
  allow_subdomains: allowsSubdomains,
});

/** A lower-case domain. @throws BadRequest for an invalid one */
export function checkDomain(input: string): string {
  const domain = input.trim().toLowerCase();
  if (domain === '') throw new BadRequest("Domain can't be empty.");
  if (!domain.includes('.')) throw new BadRequest('Domain must have at least one dot (.)');
  if (!DOMAIN.test(domain)) throw new BadRequest('Invalid domain: Enter a valid domain name.');
  return domain;
}

export const domainsOf = ({ domains = {} }: Organization): Domain[] =>
  Object.entries(domains)
    .map(([domain, allowsSubdomains]) => ({ domain, allowsSubdomains }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1));

/** @throws BadRequest when the domain exists already, or there are too many */
export function addDomain(organization: Organization, added: Domain): Change {
  const { domains = {} } = organization;
  if (Object.hasOwn(domains, added.domain))
    throw new BadRequest(`The domain ${added.domain} is already a part of your organization.`);
  if (Object.keys(domains).length >= MAX_DOMAINS)
    throw new BadRequest(`Too many domains (maximum ${MAX_DOMAINS}).`);
  return domainChange(organization, { ...domains, [added.domain]: added.allowsSubdomains }, [
    { type: 'realm_domains', op: 'add', realm_domain: toDomainRecord(added) },
  ]);
}

/** @throws BadRequest for an unknown domain */
export function editDomain(organization: Organization, edited: Domain): Change {
  requireKnown(organization, edited.domain);
  const domains = { ...organization.domains, [edited.domain]: edited.allowsSubdomains };
  return domainChange(organization, domains, [
    { type: 'realm_domains', op: 'change', realm_domain: toDomainRecord(edited) },
  ]);
}

/** Removes a domain; when none is left, addresses are unrestricted. @throws BadRequest */
export function removeDomain(organization: Organization, domain: string): Change {
  requireKnown(organization, domain);
  const { [domain]: _removed, ...domains } = organization.domains ?? {};
  const wasLast = Object.keys(domains).length === 0 && organization.settings.emails_restricted_to_domains;
  const event: EventPayload = { type: 'realm_domains', op: 'remove', domain };
  if (!wasLast) return domainChange(organization, domains, [event]);
  const settings = { ...organization.settings, emails_restricted_to_domains: false };
  return domainChange({ ...organization, settings }, domains, [
    event,
    { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
  ]);
}

function requireKnown({ domains = {} }: Organization, domain: string): void {
  if (!Object.hasOwn(domains, domain)) throw new BadRequest(`No entry found for domain ${domain}.`);
}

const domainChange = (
  organization: Organization,
  domains: Record<string, boolean>,
  payloads: EventPayload[],
): Change => organizationChange({ ...organization, domains }, payloads);

/** @throws BadRequest for an address that may not join the organization */
export function requireAllowedAddress(email: string, organization: Organization): void {
  const { settings } = organization;
  const host = asciiDomainOf(email);
  const isOurs = domainsOf(organization).some(
    ({ domain, allowsSubdomains }) => host === domain || (allowsSubdomains && host.endsWith(`.${domain}`)),
  );
  const isForbidden = settings.emails_restricted_to_domains
    ? !isOurs
    : settings.disallow_disposable_email_addresses && disposableDomains.has(host);
  if (isForbidden) throw new BadRequest(`Email '${email}' not allowed in this organization`);
}

/** The best-known services for disposable addresses; a complete list would be larger than the service. */
const disposableDomains = new Set([
  '10minutemail.com',
  '20minutemail.com',
  'discard.email',
  'dispostable.com',
  'emailondeck.com',
  'fakeinbox.com',
  'getairmail.com',
  'getnada.com',
  'grr.la',
  'guerrillamail.com',
  'guerrillamail.info',
  'guerrillamail.net',
  'guerrillamail.org',
  'mailcatch.com',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'moakt.com',
  'mohmal.com',
  'mytemp.email',
  'sharklasers.com',
  'spam4.me',
  'spamgourmet.com',
  'temp-mail.org',
  'tempail.com',
  'tempmail.com',
  'tempmailo.com',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
  'yopmail.fr',
  'yopmail.net',
]);
