import { DeclaredError } from '#shared/domain/errors.ts';

/** A host name with an optional port, as the header Host holds it. */
const AUTHORITY = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(:\d{1,5})?$/i;
const LOOPBACK_NAME = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const LOOPBACK_ADDRESS = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const WILDCARDS = ['0.0.0.0', '[::]'];

/** The part of a request that names the service. */
interface Called {
  url?: string | undefined;
  headers: { host?: string | undefined };
  socket: { localAddress?: string | undefined };
}

/** The request calls the service by a name of another one. */
export class ForeignName extends DeclaredError {
  readonly status = 421;
  readonly code = 'BAD_REQUEST';
  constructor() {
    super('The service is not known by this host name');
  }
}

/** Whether a network address is one of this machine that only this machine reaches. */
export const isLoopbackAddress = (address: string): boolean => LOOPBACK_ADDRESS.test(address);

/** Whether a host name, in lower case and without port, leads to the machine of its user. */
export const isLoopbackName = (name: string): boolean => LOOPBACK_NAME.test(name);

/** The host name of the header Host or of a listening address, in lower case and without port. */
export function hostNameOf(authority: string): string | undefined {
  const isBareIpv6 = /^[\da-f]*:[\da-f:.]*:[\da-f:.]*$/i.test(authority);
  const written = isBareIpv6 ? `[${authority}]` : authority;
  return AUTHORITY.test(written) ? URL.parse(`http://${written}`)?.hostname : undefined;
}

/**
 * The check of the names by which requests call the service. A page of another site can make a name of its own
 * lead to this machine (DNS rebinding), and would then count as a page of the service.
 *
 * A service has the names of loopback, that of its listening address, the network address at which a connection
 * has arrived, and the host of its public address.
 */
export function createNameCheck(listeningHost: string, publicUrl?: string): (request: Called) => boolean {
  const own = new Set([hostNameOf(listeningHost), publicUrl && new URL(publicUrl).hostname]);
  for (const wildcard of WILDCARDS) own.delete(wildcard);
  const isOwn = (authority: string, request: Called): boolean => {
    const name = hostNameOf(authority);
    if (name === undefined) return false;
    return isLoopbackName(name) || own.has(name) || name === arrivalName(request);
  };
  return (request) => {
    const [, target] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '') ?? [];
    const authorities = [request.headers.host ?? '', ...(target === undefined ? [] : [target])];
    return authorities.every((authority) => isOwn(authority, request));
  };
}

const arrivalName = ({ socket }: Called): string | undefined =>
  hostNameOf((socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''));
