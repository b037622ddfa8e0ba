import { chunksOf } from '#shared/domain/chunks.ts';
import { checkFileName, isFileName, mediaTypeOf } from '#shared/runtime/file-name.ts';
import type { FileStore, ShownAs } from '#shared/runtime/services.ts';
import { domainOf } from './aws-domain.ts';
import { putInParts, type SendToBucket } from './aws-multipart.ts';
import { presignAws, requestAws } from './aws-request.ts';

export interface AwsFilesOptions {
  bucket: string;
  region: string;
  /** An address other than the bucket's own; the bucket is then part of the path. */
  endpoint?: string;
}

const TIMEOUT_MS = 10_000;
const REMOVED_AT_ONCE = 20;

/**
 * Files in an S3 bucket. Requests are signed here, because the SDK's S3 client alone is larger than a
 * function may load (decision 0022).
 */
export function createAwsFiles(options: AwsFilesOptions): FileStore {
  const send = async (
    method: string,
    name: string,
    body?: Uint8Array,
    query: Record<string, string> = {},
  ): Promise<Response> => {
    const content = body && {
      headers: { 'content-type': mediaTypeOf(name) },
      body: new Uint8Array(body),
    };
    return sendTo(addressOf(options, name), method, content, query);
  };
  const sendTo = (
    url: URL,
    method: string,
    content: { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> } | undefined,
    query: Record<string, string>,
  ): Promise<Response> => {
    url.search = new URLSearchParams(query).toString();
    const request = { method, timeoutMs: TIMEOUT_MS, ...content };
    return requestAws({ service: 's3', region: options.region }, url, request);
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
    async clear(folder) {
      const query = { 'list-type': '2', prefix: `${folder}/` };
      const reply = await sendTo(bucketAddress(options), 'GET', undefined, query);
      await demandSuccess(reply, `list ${folder}`);
      const names = [...(await reply.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name);
      for (const some of chunksOf(names.filter(isFileName), REMOVED_AT_ONCE))
        await Promise.all(
          some.map(async (name) => demandSuccess(await send('DELETE', name), `remove ${name}`)),
        );
      return names.some(isFileName);
    },
    downloadUrl: async (name, validSeconds, shownAs) => presign(options, name, validSeconds, { shownAs }),
  };
}

/** An address at which S3 serves the file without credentials, signed for at most a week. */
export async function presign(
  options: AwsFilesOptions,
  name: string,
  validSeconds: number,
  { shownAs, signingDate }: { shownAs?: ShownAs | undefined; signingDate?: Date } = {},
): Promise<string> {
  const url = addressOf(options, name);
  if (shownAs) {
    url.searchParams.set('response-content-type', shownAs.contentType);
    url.searchParams.set('response-content-disposition', shownAs.contentDisposition);
  }
  return presignAws({ service: 's3', region: options.region }, url, { validSeconds, signingDate });
}

function addressOf(options: AwsFilesOptions, name: string): URL {
  checkFileName(name);
  const { pathname, origin } = bucketAddress(options);
  return new URL(`${pathname}${name}`, origin);
}

const bucketAddress = ({ bucket, region, endpoint }: AwsFilesOptions): URL =>
  endpoint
    ? new URL(`/${bucket}/`, endpoint)
    : new URL(`https://${bucket}.s3.${region}.${domainOf(region)}/`);

async function demandSuccess(reply: Response, what: string): Promise<void> {
  if (reply.ok) return;
  const [, code = reply.status] = /<Code>(\w+)<\/Code>/.exec(await reply.text()) ?? [];
  throw new Error(`S3 did not ${what}: ${code}`);
}
