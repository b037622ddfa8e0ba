import { setTimeout as pause } from 'node:timers/promises';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { putInParts, type SendToBucket } from './aws-multipart.ts';
import { checkFileName, mediaTypeOf } from './file-name.ts';
import type { FileStore, ShownAs } from './services.ts';

export interface AwsFilesOptions {
  bucket: string;
  region: string;
  /** Another address than the bucket's own; the bucket is then part of the path. */
  endpoint?: string;
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
const HASH_HEADER = 'x-amz-content-sha256';

/**
 * The files in an S3 bucket. Requests are signed by the signer that the other clients bring along: the SDK's client for
 * S3 alone is more than a function may load.
 */
export function createAwsFiles(options: AwsFilesOptions): FileStore {
  const send = async (
    method: string,
    name: string,
    body?: Uint8Array,
    query: Record<string, string> = {},
  ): Promise<Response> => {
    const url = addressOf(options, name);
    url.search = new URLSearchParams(query).toString();
    const request = {
      ...describe(method, url),
      query,
      headers: { host: url.host, ...(body && { 'content-type': mediaTypeOf(name) }) },
      ...(body && { body }),
    };
    return patiently(async () => {
      const { headers } = await signer(options.region).sign(request);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return fetch(url, { method, headers, signal, ...(body && { body: new Uint8Array(body) }) });
    });
  };
  return {
    async put(name, bytes) {
      await demandSuccess(await send('PUT', name, bytes), `put ${name}`);
    },
    async putPieces(name, pieces) {
      const sendWell: SendToBucket = async (method, ...request) => {
        const reply = await send(method, ...request);
        await demandSuccess(reply, `put ${name} in parts`);
        return reply;
      };
      await putInParts(sendWell, name, pieces);
    },
    async find(name) {
      const reply = await send('GET', name);
      if (reply.status === 404) {
        await reply.body?.cancel();
        return undefined;
      }
      await demandSuccess(reply, `get ${name}`);
      return new Uint8Array(await reply.arrayBuffer());
    },
    async remove(name) {
      await demandSuccess(await send('DELETE', name), `remove ${name}`);
    },
    downloadUrl: async (name, validSeconds, shownAs) => presign(options, name, validSeconds, { shownAs }),
  };
}

/** The address at which S3 hands the file to whoever has it, signed for a time that is at most a week. */
export async function presign(
  options: AwsFilesOptions,
  name: string,
  validSeconds: number,
  { shownAs, signingDate }: { shownAs?: ShownAs | undefined; signingDate?: Date } = {},
): Promise<string> {
  const url = addressOf(options, name);
  const request = {
    ...describe('GET', url),
    query: shownAs
      ? {
          'response-content-type': shownAs.contentType,
          'response-content-disposition': shownAs.contentDisposition,
        }
      : {},
    headers: { host: url.host, [HASH_HEADER]: 'UNSIGNED-PAYLOAD' },
  };
  const { query } = await signer(options.region).presign(request, {
    expiresIn: validSeconds,
    unhoistableHeaders: new Set([HASH_HEADER]),
    unsignableHeaders: new Set([HASH_HEADER]),
    ...(signingDate && { signingDate }),
  });
  url.search = new URLSearchParams(query as Record<string, string>).toString();
  return url.href;
}

function addressOf({ bucket, region, endpoint }: AwsFilesOptions, name: string): URL {
  checkFileName(name);
  if (endpoint) return new URL(`/${bucket}/${name}`, endpoint);
  const suffix = region.startsWith('cn-') ? '.cn' : '';
  return new URL(`https://${bucket}.s3.${region}.amazonaws.com${suffix}/${name}`);
}

const describe = (method: string, url: URL) => ({
  method,
  protocol: url.protocol,
  hostname: url.hostname,
  path: url.pathname,
  query: {},
});

/** Tries again what S3 asks to be tried again, and what got no answer. All requests may be made twice. */
async function patiently(attempt: () => Promise<Response>): Promise<Response> {
  for (let left = ATTEMPTS - 1; ; left--) {
    const reply = await attempt().catch((failure: Error) => failure);
    const isFinal = reply instanceof Response && reply.status < 500 && reply.status !== 429;
    if (isFinal) return reply;
    if (left === 0) {
      if (reply instanceof Response) return reply;
      throw reply;
    }
    if (reply instanceof Response) await reply.body?.cancel();
    await pause(FIRST_PAUSE_MS * 2 ** (ATTEMPTS - 1 - left));
  }
}

async function demandSuccess(reply: Response, what: string): Promise<void> {
  if (reply.ok) return;
  const [, code = reply.status] = /<Code>(\w+)<\/Code>/.exec(await reply.text()) ?? [];
  throw new Error(`S3 did not ${what}: ${code}`);
}

const signer = (region: string): SignatureV4 =>
  new SignatureV4({
    service: 's3',
    region,
    // Names need no escaping, and S3 takes a path as it is.
    uriEscapePath: false,
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
    },
    sha256: Sha256,
  });
