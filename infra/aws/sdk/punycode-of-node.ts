import { domainToASCII, domainToUnicode } from 'node:url';

/** Replaces `punycode.js`, which encodes host names of links: Node can do that itself. */
const toASCII = (host: string): string => known(domainToASCII(host));
const toUnicode = (host: string): string => known(domainToUnicode(host));

/** The library throws for invalid host names, and its caller then leaves the link unchanged. */
function known(host: string): string {
  if (host === '') throw new RangeError('Not a host name');
  return host;
}

export default { toASCII, toUnicode };
