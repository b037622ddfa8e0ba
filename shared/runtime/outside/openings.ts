import { BlockList, isIP } from 'node:net';

export const WEB_PORTS = [80, 443];

/** Addresses that the operator allows although strangers' requests may not reach them. */
export interface Opening {
  /** A host name in small letters. */
  host?: string;
  addresses?: BlockList;
  ports: number[];
}

const ENTRY =
  /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+|[0-9a-f:]*::[0-9a-f:.]*))(?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?$/i;

/**
 * Reads a list of hosts, addresses and networks, each with an optional port: `bots.lan, 127.0.0.1:5002, 10.0.0.0/8,
 * [fd00::]/8`. Without a port, 80 and 443 are open.
 * @throws Error that names the invalid entry
 */
export const readOpenings = (text = ''): Opening[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(readOpening);

function readOpening(entry: string): Opening {
  const { v6, name, bits, port } = ENTRY.exec(entry)?.groups ?? {};
  const host = v6 ?? name;
  const family = host === undefined ? 0 : isIP(host);
  const mostBits = family === 6 ? 128 : 32;
  const isRight =
    host !== undefined &&
    (v6 === undefined || family === 6) &&
    (bits === undefined || (family !== 0 && Number(bits) <= mostBits)) &&
    (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
  if (!isRight)
    throw new Error(
      `${JSON.stringify(entry)} is not a host, host:port, address or network that can be allowed`,
    );
  const ports = port === undefined ? WEB_PORTS : [Number(port)];
  if (family === 0) return { host: host.toLowerCase(), ports };
  const addresses = new BlockList();
  addresses.addSubnet(host, Number(bits ?? mostBits), family === 6 ? 'ipv6' : 'ipv4');
  return { addresses, ports };
}
