import { checkFileName, mediaTypeOf } from '#shared/runtime/file-name.ts';
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
    const url = addressOf(options, name);
    url.search = new URLSearchParams(query).toString();
    return requestAws({ service: 's3', region: options.region }, url, {
      method,
      timeoutMs: TIMEOUT_MS,
      ...(body && { headers: { 'content-type': mediaTypeOf(name) }, body: new Uint8Array(body) }),
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

function addressOf({ bucket, region, endpoint }: AwsFilesOptions, name: string): URL {
  checkFileName(name);
  if (endpoint) return new URL(`/${bucket}/${name}`, endpoint);
  return new URL(`https://${bucket}.s3.${region}.${domainOf(region)}/${name}`);
}

async function demandSuccess(reply: Response, what: string): Promise<void> {
  if (reply.ok) return;
  const [, code = reply.status] = /<Code>(\w+)<\/Code>/.exec(await reply.text()) ?? [];
  throw new Error(`S3 did not ${what}: ${code}`);
}
