import { domainToASCII, domainToUnicode } from 'node:url';

/** Stands in for `punycode.js`, which spells host names of links: Node can do that itself. */
export const toASCII = (host: string): string => known(domainToASCII(host));
export const toUnicode = (host: string): string => known(domainToUnicode(host));

/** The library throws for what is no host name, and its caller then leaves the link as it is. */
function known(host: string): string {
  if (host === '') throw new RangeError('Not a host name');
  return host;
}

export default { toASCII, toUnicode };
