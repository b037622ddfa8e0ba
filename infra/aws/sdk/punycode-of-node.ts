import { domainToASCII, domainToUnicode } from 'node:url';

/** Replaces `punycode.js`, which encodes host names of links: Node can do that itself. */
export const toASCII = (host: string): string => known(domainToASCII(host));
export const toUnicode = (host: string): string => known(domainToUnicode(host));

/** The library throws for invalid host names, and its caller then leaves the link unchanged. */
function known(host: string): string {
  if (host === '') throw new RangeError('Not a host name');
  return host;
}

export default { toASCII, toUnicode };
