import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type DeclaredError, ReplyTooLarge } from '#shared/domain/errors.ts';
import type { HttpEvent, HttpReply } from './http.ts';

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  Expires: '0',
  'Access-Control-Allow-Origin': '*',
  // Large replies are compressed for clients that accept gzip.
  Vary: 'Accept-Encoding',
};

const reply = (statusCode: number, body: object, extraHeaders: Record<string, string> = {}): HttpReply => ({
  statusCode,
  headers: { ...headers, ...extraHeaders },
  body: `${JSON.stringify(body)}\n`,
});

/** Reference, "Common conventions": `result`, `msg` and the endpoint's own fields. */
export function success(
  fields: object,
  ignored: string[],
  extraHeaders: Record<string, string> = {},
): HttpReply {
  const body = {
    result: 'success',
    msg: '',
    ...fields,
    ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }),
  };
  return reply(200, body, extraHeaders);
}

export function failure(error: DeclaredError): HttpReply {
  const body = {
    result: 'error',
    msg: error.message,
    ...(error.code && { code: error.code }),
    ...error.fields,
  };
  return reply(error.status, body, error.headers);
}

/** A client's view of an internal defect. Clients retry it. */
export function internalError(): HttpReply {
  return reply(500, { result: 'error', msg: 'Internal server error' });
}

/** The headers that scripts of other origins may send. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Range',
  'Range',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
].join(', ');

/** The answer to OPTIONS, which browsers send before a request of another origin. */
export function preflight(allowedMethods: string[], extraHeaders: Record<string, string> = {}): HttpReply {
  return {
    statusCode: 204,
    headers: {
      ...headers,
      Allow: allowedMethods.join(', '),
      'Access-Control-Allow-Methods': allowedMethods.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': '86400',
      ...extraHeaders,
    },
    body: '',
  };
}

/**
 * The answer of a handler that does not use the envelope. The edge knows only this interface, so that only
 * functions that use a kind of reply load it.
 */
export interface OwnReply {
  toReply(request: HttpEvent): HttpReply;
}

/** Whether an answer bypasses the envelope: envelope fields are plain data. */
export const isOwnReply = (input: object): input is OwnReply =>
  'toReply' in input && typeof input.toReply === 'function';

const compress = promisify(gzip);

/** Smaller bodies fit into a few packets anyway. */
const COMPRESSED_FROM = 4096;
/** Lambda limits a reply to 6 MB of JSON; this leaves room for its framing. */
const MAX_REPLY_BYTES = 6_000_000;

/**
 * The reply as it passes the gateway, with large bodies compressed for clients that accept gzip. A reply that
 * is still too large becomes ReplyTooLarge here, because the gateway could not say why it fails.
 */
export async function packReply(reply: HttpReply, acceptEncoding: string | undefined): Promise<HttpReply> {
  if (reply.body.length < COMPRESSED_FROM) return reply;
  // Files are compressed already.
  if (reply.isBase64Encoded) return fitsGateway(reply) ? reply : failure(new ReplyTooLarge(true));
  const identity = qualityOf('identity', acceptEncoding);
  const zipped = gzipQuality(acceptEncoding);
  const isWantedPlain = zipped === 0 || zipped < (identity ?? 0);
  if (isWantedPlain && fitsGateway(reply)) return reply;
  if (zipped === 0) return failure(new ReplyTooLarge(false));
  const packed = {
    ...reply,
    headers: { ...reply.headers, 'Content-Encoding': 'gzip' },
    body: (await compress(reply.body)).toString('base64'),
    isBase64Encoded: true,
  };
  if (fitsGateway(packed)) return packed;
  // Data that hardly compresses grows by a third as base64.
  return identity !== 0 && fitsGateway(reply) ? reply : failure(new ReplyTooLarge(true));
}

const gzipQuality = (acceptEncoding: string | undefined): number =>
  qualityOf('gzip', acceptEncoding) ?? qualityOf('*', acceptEncoding) ?? 0;

/** Whether large replies to this client are compressed. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => gzipQuality(acceptEncoding) > 0;

/** Room for the reply fields that are not measured here. */
const AROUND_BYTES = 10_000;

/** Whether these fields and the rest of the reply fit into a compressed reply. */
export async function fitsCompressed(fields: string): Promise<boolean> {
  if (fields.length * 6 < MAX_REPLY_BYTES) return true;
  const { length } = await compress(fields);
  return (length * 4) / 3 + AROUND_BYTES <= MAX_REPLY_BYTES;
}

const fitsGateway = (reply: HttpReply): boolean =>
  Buffer.byteLength(JSON.stringify(reply)) <= MAX_REPLY_BYTES;

/** The client's preference for an encoding, 0 to 1; undefined when it states none. */
export function qualityOf(encoding: string, acceptEncoding = ''): number | undefined {
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((parameter) => parameter.trim());
    if (name !== encoding) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return quality === undefined ? 1 : Number(quality) || 0;
  }
  return undefined;
}

const YEAR_SECONDS = 365 * 24 * 3600;

/** Makes browsers that arrived by https return by https only. */
export const transportSecurity = (event: HttpEvent | undefined): Record<string, string> =>
  event?.headers['x-forwarded-proto'] === 'https'
    ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` }
    : {};
