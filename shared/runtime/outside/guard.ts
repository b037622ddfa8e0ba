import { BlockList, isIP } from 'node:net';
import { type Opening, WEB_PORTS } from './openings.ts';
import { OutsideFailure } from './outside.ts';

/** IPv4 networks that are not the public Internet (IANA's registry of special-purpose addresses). */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** All public IPv6 addresses are in this network, and in none of the closed ones. */
const PUBLIC_V6 = ['2000::/3'];
/** Protocol assignments with Teredo, documentation, and 6to4, which hides an IPv4 address. */
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const closedV4 = listOf(CLOSED_V4, 'ipv4');
const publicV6 = listOf(PUBLIC_V6, 'ipv6');
const closedV6 = listOf(CLOSED_V6, 'ipv6');

/** Names that resolve within a machine or a private network only. */
const CLOSED_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/** A checked address of a request. */
export interface Target {
  url: URL;
  /** The name or literal address in small letters, without brackets and final dot. */
  host: string;
  port: number;
}

/**
 * The target of a URL, as far as it can be judged without resolving its name. The URL parser has undone disguises: numbers
 * in other bases, short forms, full-width digits.
 * @throws OutsideFailure for other schemes and ports, credentials, literal addresses that are not public, and local names
 */
export function readTarget(text: string | URL, openings: Opening[]): Target {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw refusal('The address is not an http or https URL');
  if (url.username !== '' || url.password !== '') throw refusal('The address contains credentials');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const target = { url, host, port };
  if (isIP(host) !== 0) requireOpen(target, [host], openings);
  else requireNameOpen(target, openings);
  return target;
}

function requireNameOpen({ host, port }: Target, openings: Opening[]): void {
  const mayBeOpen = openings.some(
    ({ host: named, ports }) => (named === undefined || named === host) && ports.includes(port),
  );
  const isPublicName = WEB_PORTS.includes(port) && host.includes('.') && !CLOSED_NAME.test(host);
  if (!isPublicName && !mayBeOpen) throw refusal('The address is not allowed');
}

/** @throws OutsideFailure unless the target may be reached at each of its addresses */
export function requireOpen({ host, port }: Target, addresses: string[], openings: Opening[]): void {
  const isOpen = (address: string): boolean =>
    openings.some(
      (opening) =>
        opening.ports.includes(port) &&
        (opening.host === host || opening.addresses?.check(address, familyOf(address))),
    ) ||
    (WEB_PORTS.includes(port) && !CLOSED_NAME.test(host) && isPublicAddress(address));
  if (addresses.length === 0 || !addresses.every(isOpen)) throw refusal('The address is not allowed');
}

/**
 * Whether an address belongs to the public Internet. An IPv4 address in an IPv6 one (mapped, translated, 6to4, Teredo)
 * does not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closedV4.check(address, 'ipv4');
  return isIP(address) === 6 && publicV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
}

const familyOf = (address: string) => (isIP(address) === 6 ? ('ipv6' as const) : ('ipv4' as const));

const refusal = (message: string): OutsideFailure => new OutsideFailure('refused', message);

function listOf(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
