import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ReplyTooLarge } from '#shared/domain/errors.ts';
import { failure } from './envelope.ts';
import type { HttpReply } from './http.ts';

const compress = promisify(gzip);

/** Smaller bodies are a few packets anyway. */
const COMPRESSED_FROM = 4096;
/** A function's reply, written down as JSON, ends at 6 MB; this leaves room for the service's own framing. */
const MAX_REPLY_BYTES = 6_000_000;

/**
 * The reply as it goes over the gateway: a large body is compressed where the client accepts gzip. What does not fit
 * all the same is replaced by ReplyTooLarge, whatever it was: beyond the gateway nobody could say so any more.
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
  // What hardly compresses is a third longer as base64.
  return identity !== 0 && fitsGateway(reply) ? reply : failure(new ReplyTooLarge(true));
}

const gzipQuality = (acceptEncoding: string | undefined): number =>
  qualityOf('gzip', acceptEncoding) ?? qualityOf('*', acceptEncoding) ?? 0;

/** Whether a large reply to this client is compressed. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => gzipQuality(acceptEncoding) > 0;

/** What stands in a reply around the fields that are asked about here. */
const AROUND_BYTES = 10_000;

/** Whether these fields fit into a compressed reply, with what stands around them. */
export async function fitsCompressed(fields: string): Promise<boolean> {
  if (fields.length * 6 < MAX_REPLY_BYTES) return true;
  const { length } = await compress(fields);
  return (length * 4) / 3 + AROUND_BYTES <= MAX_REPLY_BYTES;
}

/** Quotes and backslashes of the body are escaped once more; a character takes at most six bytes. */
const fitsGateway = (reply: HttpReply): boolean =>
  reply.body.length * 6 < MAX_REPLY_BYTES || Buffer.byteLength(JSON.stringify(reply)) <= MAX_REPLY_BYTES;

/** How much the client wants an encoding, 0 to 1; undefined where it does not say. */
function qualityOf(encoding: string, acceptEncoding = ''): number | undefined {
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim());
    if (name !== encoding) continue;
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return quality === undefined ? 1 : Number(quality) || 0;
  }
  return undefined;
}
