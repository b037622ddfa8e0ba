import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';

/** An AWS service in a region, by its name in signatures. */
export interface AwsPlace {
  service: 'execute-api' | 'lambda' | 's3' | 'secretsmanager' | 'ssm';
  region: string;
}

export interface AwsRequest {
  method: string;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** The timeout of one attempt; there are at most four. */
  timeoutMs: number;
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;

/**
 * Sends a signed request to a service whose SDK client would be too large. Retries throttled and unanswered
 * requests after growing pauses of random length, so the request must be safe to repeat. @returns the last
 * answer, whatever its status
 */
export async function requestAws(
  place: AwsPlace,
  url: URL,
  { timeoutMs, ...request }: AwsRequest,
): Promise<Response> {
  const digest = createHash('sha256').update(request.body ?? '');
  const headers = { ...request.headers, 'x-amz-content-sha256': digest.digest('hex') };
  return patiently(async () => {
    const signed = await new AwsV4Signer({
      ...request,
      ...place,
      ...credentials(),
      headers,
      url: url.href,
    }).sign();
    return fetch(signed.url, {
      method: request.method,
      headers: signed.headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(request.body && { body: request.body }),
    });
  });
}

/** An address with a signature in its query: a GET needs no header, for at most a week. */
export async function presignAws(
  place: AwsPlace,
  url: URL,
  { validSeconds, signingDate = new Date() }: { validSeconds: number; signingDate?: Date | undefined },
): Promise<string> {
  const timed = new URL(url);
  timed.searchParams.set('X-Amz-Expires', String(validSeconds));
  const datetime = signingDate.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const options = { ...place, ...credentials(), method: 'GET', url: timed.href, datetime, signQuery: true };
  return (await new AwsV4Signer(options).sign()).url.href;
}

/** Read at each call: Lambda changes credentials only with a new process, but tests do so earlier. */
const credentials = () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});

async function patiently(attempt: () => Promise<Response>): Promise<Response> {
  for (let attempts = 1; ; attempts++) {
    const reply = await attempt().catch((failure: Error) => failure);
    const isFinal = reply instanceof Response && !(await isBusy(reply));
    if (isFinal || attempts === ATTEMPTS) {
      if (reply instanceof Error) throw reply;
      return reply;
    }
    if (reply instanceof Response) await reply.body?.cancel();
    await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempts);
  }
}

/** Whether the service requires a later retry: S3 says so by status, JSON services by the error's name. */
export async function isBusy(reply: Response): Promise<boolean> {
  if (reply.status === BAD_REQUEST) return /Throttling|TooManyRequests/.test(await reply.clone().text());
  return reply.status > 499 || reply.status === TOO_MANY_REQUESTS;
}
