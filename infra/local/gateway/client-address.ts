import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The network address of the client. Each trusted proxy appends the address of its own caller to
 * `X-Forwarded-For`; everything before those is the claim of a stranger.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return peer;
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  const hop = hops[Math.max(0, hops.length - trustedProxies)]?.trim() ?? '';
  const address = hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  return isIP(address) ? address : peer;
}
