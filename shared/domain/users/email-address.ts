import { decodePunycode } from './punycode.ts';

const MAX_LENGTH = 254;
const MAX_DOMAIN_LENGTH = 253;
/** Characters without a meaning of their own that show something, between single dots. */
const ATOM = String.raw`[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800.]+`;
const LOCAL_PART = new RegExp(String.raw`^${ATOM}(\.${ATOM})*$`, 'u');
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/i;
const INTERNATIONAL_DOMAIN = /^(?:[\w.-]|[^\0-\x7f\s\p{C}\p{Default_Ignorable_Code_Point}\u2800])+$/u;
const PLAIN_DOMAIN = /^[\w.-]*$/;
/** Marks a label that encodes Unicode. */
const PREFIX = /(^|\.)xn--/i;

/**
 * The one spelling of an e-mail address, so that a mailbox has one account: composed characters, and a domain as
 * people read it. Letter case stays in ASCII; keys ignore it. Undefined for a malformed address.
 */
export function canonicalAddress(input: string): string | undefined {
  const at = input.lastIndexOf('@');
  if (input.length > MAX_LENGTH || at < 1) return undefined;
  const local = input.slice(0, at).normalize('NFC');
  const domain = checkDomain(input.slice(at + 1));
  if (domain === undefined || !LOCAL_PART.test(local)) return undefined;
  const address = `${local}@${domain}`;
  return address.length > MAX_LENGTH ? undefined : address;
}

function checkDomain(input: string): string | undefined {
  if (PLAIN_DOMAIN.test(input) && !PREFIX.test(input)) return isDomain(input) ? input : undefined;
  const ascii = INTERNATIONAL_DOMAIN.test(input) ? toAscii(input) : undefined;
  if (ascii === undefined || !isDomain(ascii)) return undefined;
  const labels = ascii
    .split('.')
    .map((label) => (PREFIX.test(label) ? decodePunycode(label.slice(4)) : label));
  const domain = labels.includes(undefined) ? '' : labels.join('.').normalize('NFC');
  // Whatever does not come back is no name that is in use.
  return toAscii(domain) === ascii ? domain : undefined;
}

const toAscii = (domain: string): string | undefined => URL.parse(`http://${domain}`)?.hostname;

const isDomain = (ascii: string): boolean =>
  ascii.length <= MAX_DOMAIN_LENGTH && ascii.split('.').every((label) => LABEL.test(label));

/** The domain of an address in ASCII and lower case. */
export function asciiDomainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return (PLAIN_DOMAIN.test(domain) ? undefined : toAscii(domain)) ?? domain;
}
