import { OAuthError } from './errors.ts';

/** A program that requests tokens of people. */
export interface OAuthClient {
  clientId: string;
  /** As it calls itself; nothing proves it. */
  name: string;
  /** The host that vouches for the program; undefined for one that registered itself. */
  host: string | undefined;
  redirectUris: string[];
}

const MAX_URI_LENGTH = 500;
const MAX_URIS = 10;
export const MAX_CLIENT_NAME_LENGTH = 100;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Schemes by which a browser would run or show something, instead of opening a program. */
const UNFIT_SCHEMES = [
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'javascript:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
];

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK.includes(hostname);

/** Whether a person may be sent there: https, a program on their computer, or a scheme of a program. */
export function isRedirectFit(uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) return false;
  const url = URL.parse(uri);
  if (!url || uri.includes('#') || url.username || url.password) return false;
  if (url.protocol === 'https:') return url.hostname !== '';
  if (url.protocol === 'http:') return isLoopback(url);
  return !UNFIT_SCHEMES.includes(url.protocol);
}

/** Whether the client registered the address: equal, but for the port of programs on the person's computer. */
export function isRedirectOf({ redirectUris }: OAuthClient, uri: string): boolean {
  if (!isRedirectFit(uri)) return false;
  return redirectUris.some((redirectUri) => redirectUri === uri || isSameButPort(redirectUri, uri));
}

function isSameButPort(registered: string, input: string): boolean {
  const [a, b] = [URL.parse(registered), URL.parse(input)];
  if (!a || !b || !isLoopback(a) || !isLoopback(b)) return false;
  a.port = '';
  b.port = '';
  return a.href === b.href;
}

/** The name and addresses of a client's metadata. @throws OAuthError */
export function readClientMetadata(metadata: unknown): Pick<OAuthClient, 'name' | 'redirectUris'> {
  const input = typeof metadata === 'object' && metadata !== null ? metadata : {};
  const {
    client_name: name = 'A program without a name',
    redirect_uris: uris,
    token_endpoint_auth_method: method = 'none',
  } = input as Record<string, unknown>;
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_CLIENT_NAME_LENGTH)
    throw new OAuthError('invalid_client_metadata', 'client_name is not a name.');
  if (method !== 'none')
    throw new OAuthError('invalid_client_metadata', 'Only public clients are accepted: use the method none.');
  const isList = Array.isArray(uris) && uris.length > 0 && uris.length <= MAX_URIS;
  if (!isList || !uris.every((uri) => typeof uri === 'string' && isRedirectFit(uri)))
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris are not addresses that can be used.');
  return { name: name.trim(), redirectUris: uris };
}

/** Whether a client id is the address of a document about the client. */
export function isDocumentAddress(clientId: string): boolean {
  const url = URL.parse(clientId);
  if (!url || url.href !== clientId || clientId.length > MAX_URI_LENGTH) return false;
  const isProtected = url.protocol === 'https:' || isLoopback(url);
  return isProtected && url.pathname !== '/' && !url.hash && !url.username && !url.password;
}
