import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { readTarget, requireOpen, type Target } from '#shared/runtime/outside/guard.ts';
import type { Opening } from '#shared/runtime/outside/openings.ts';
import {
  type Outside,
  type OutsideAnswer,
  OutsideFailure,
  type OutsideRequest,
} from '#shared/runtime/outside/outside.ts';

/** Returns all addresses of a host name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

export interface OutsideOptions {
  openings: Opening[];
  resolve?: Resolve;
  connectTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 3_000;
const MAX_HEADER_BYTES = 16_384;

const systemResolve: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Makes the requests from this process. A name is resolved once, all its addresses are checked, and the connection is
 * made to one of them, so a name that resolves differently later gains nothing.
 */
export const createOutside = (options: OutsideOptions): Outside => ({
  call: (request) => callOutside(request, options),
});

async function callOutside(request: OutsideRequest, options: OutsideOptions): Promise<OutsideAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  let next: string | URL = request.url;
  for (let redirects = 0; redirects <= request.redirects; redirects++) {
    const { reply, target } = await open(next, request, options, signal);
    const location = redirectOf(reply);
    if (location === undefined || request.redirects === 0) return finish(request, target, reply, signal);
    reply.destroy();
    const following = URL.parse(location, target.url);
    if (!following) throw new OutsideFailure('badAnswer', 'The answer redirects to no address');
    next = following;
  }
  throw new OutsideFailure('badAnswer', 'The address redirects too often');
}

const REDIRECTS = [301, 302, 303, 307, 308];

const redirectOf = ({ statusCode = 0, headers }: IncomingMessage): string | undefined =>
  REDIRECTS.includes(statusCode) ? headers.location : undefined;

/** Sends the request to one address, without following redirects. */
async function open(
  url: string | URL,
  request: OutsideRequest,
  options: OutsideOptions,
  signal: AbortSignal,
): Promise<{ reply: IncomingMessage; target: Target }> {
  const target = readTarget(url, options.openings);
  const connecting = AbortSignal.timeout(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const either = AbortSignal.any([signal, connecting]);
  const addresses = isIP(target.host) === 0 ? await resolveOpen(target, options, either) : undefined;
  const reply = await send(target, addresses, request, signal, connecting);
  return { reply, target };
}

/** Resolves the name, and requires that all its addresses are open. */
async function resolveOpen(target: Target, options: OutsideOptions, signal: AbortSignal) {
  const resolving = (options.resolve ?? systemResolve)(target.host).catch(() => {
    throw new OutsideFailure('unreachable', 'The host name does not resolve');
  });
  const addresses = await Promise.race([resolving, rejectionOf(signal)]);
  requireOpen(
    target,
    addresses.map(({ address }) => address),
    options.openings,
  );
  return addresses;
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = () => reject(timeout());
  if (signal.aborted) fail();
  else signal.addEventListener('abort', fail, { once: true });
  return promise;
}

type Addresses = Awaited<ReturnType<Resolve>>;

function send(
  { url, host }: Target,
  addresses: Addresses | undefined,
  { method, headers, body }: OutsideRequest,
  signal: AbortSignal,
  connecting: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.protocol === 'https:';
  const make = isSecure ? requestHttps : requestHttp;
  const sent = make(url, {
    method,
    headers: {
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    // A connection of its own: none is shared with a later request that was checked otherwise.
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    ...(addresses && { lookup: pinnedTo(addresses) }),
    ...(isSecure && addresses && { servername: host }),
  });
  const giveUp = () => sent.destroy(timeout());
  connecting.addEventListener('abort', giveUp, { once: true });
  onConnected(sent, isSecure, () => connecting.removeEventListener('abort', giveUp));
  sent.once('response', resolve);
  sent.once('error', (failure) => reject(toFailure(failure, signal)));
  sent.end(body);
  return promise;
}

function onConnected(sent: ClientRequest, isSecure: boolean, act: () => void): void {
  sent.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', act));
}

/** Answers each lookup of the connection with the checked addresses. */
const pinnedTo =
  (addresses: Addresses): LookupFunction =>
  (_host, { all }, done) => {
    const [first = { address: '', family: 4 }] = addresses;
    if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };

async function finish(
  { maxBytes, ifLonger }: OutsideRequest,
  { url }: Target,
  reply: IncomingMessage,
  signal: AbortSignal,
): Promise<OutsideAnswer> {
  try {
    const body = await readBody(reply, maxBytes, ifLonger);
    const headers = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    return { status: reply.statusCode ?? 0, url: url.href, headers: Object.fromEntries(headers), body };
  } catch (failure) {
    throw toFailure(failure, signal);
  } finally {
    reply.destroy();
  }
}

async function readBody(
  reply: IncomingMessage,
  maxBytes: number,
  ifLonger: OutsideRequest['ifLonger'],
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of decompressed(reply) as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes <= maxBytes) continue;
    if (ifLonger === 'fail') throw new OutsideFailure('badAnswer', 'The answer is too long');
    break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}

/** The stream of the decompressed body; a failure of the connection fails it too. */
function decompressed(reply: IncomingMessage): Readable {
  const coding = (reply.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return reply;
  const decoder = decoders[coding]?.();
  if (!decoder) throw new OutsideFailure('badAnswer', 'The answer has an unknown compression');
  reply.once('error', (failure) => decoder.destroy(failure));
  reply.once('close', () => {
    if (!reply.complete) decoder.destroy(new Error('The connection broke'));
  });
  return reply.pipe(decoder);
}

const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function toFailure(failure: unknown, signal: AbortSignal): OutsideFailure {
  if (failure instanceof OutsideFailure) return failure;
  if (signal.aborted) return timeout();
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
  if (/^(?:Z_|ERR_PADDING|ERR_BROTLI|ERR__ERROR)/.test(code) || code.startsWith('HPE_'))
    return new OutsideFailure('badAnswer', 'The answer cannot be read');
  return new OutsideFailure('unreachable', 'No connection, or it broke');
}

const timeout = () => new OutsideFailure('timeout', 'No answer in time');
