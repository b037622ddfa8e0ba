import { setTimeout as pause } from 'node:timers/promises';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** One operation of an AWS service, as it goes over the wire. */
export interface AwsRequest {
  service: 'events' | 'scheduler' | 'ssm';
  method: 'POST' | 'PUT' | 'DELETE';
  path?: string;
  query?: Record<string, string>;
  /** Names the operation where the path does not. */
  target?: string;
  body?: object;
  region?: string | undefined;
  /** Another address than the region's own. */
  endpoint?: string | undefined;
}

/** What the service refused, under the name that it gives the failure. */
export class AwsRefusal extends Error {
  constructor(name: string, { service, target, path }: AwsRequest) {
    super(`${service} ${target ?? path} failed: ${name}`);
    this.name = name;
  }
}

const ATTEMPTS = 3;
const PAUSE_MS = 100;
const TIMEOUT_MS = 5_000;

/**
 * Does one operation, signed by the signer that the client of the table brings along: the SDK's clients for these
 * services would be a third of a function's bundle. What fails for a moment is tried again, so it may happen twice.
 * @throws AwsRefusal, or what `fetch` throws where nobody answers
 */
export async function requestAws<Reply>(request: AwsRequest): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS;
    const reply = await send(request).catch((failure) => {
      if (isLast) throw failure;
    });
    if (reply?.ok) return (await reply.json()) as Reply;
    if (reply && (isLast || (reply.status < 500 && reply.status !== 429)))
      throw new AwsRefusal(await nameOfFailure(reply), request);
    await pause(PAUSE_MS * attempt);
  }
}

async function send(request: AwsRequest): Promise<Response> {
  const { service, method, path = '/', query = {}, target, body, endpoint } = request;
  const region = request.region ?? process.env.AWS_REGION ?? '';
  const url = new URL(path, endpoint ?? `https://${service}.${region}.amazonaws.com`);
  const text = body && JSON.stringify(body);
  const signed = await signerOf(service, region).sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query,
    headers: {
      host: url.host,
      ...(text && { 'content-type': `application/${target ? 'x-amz-json-1.1' : 'json'}` }),
      ...(target && { 'x-amz-target': target }),
    },
    body: text,
  });
  url.search = new URLSearchParams(query).toString();
  return fetch(url, {
    method,
    headers: signed.headers,
    ...(text && { body: text }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Services name a failure in a header or in the body, with an address before or behind it. */
async function nameOfFailure(reply: Response): Promise<string> {
  const { __type } = (await reply.json().catch(() => ({}))) as { __type?: string };
  const name = reply.headers.get('x-amzn-errortype') ?? __type ?? `status ${reply.status}`;
  return name.split(':')[0]?.split('#').at(-1) ?? name;
}

const signerOf = (service: string, region: string): SignatureV4 =>
  new SignatureV4({
    service,
    region,
    credentials: {
      accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
      ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
    },
    sha256: Sha256,
  });
