import { isDeepStrictEqual } from 'node:util';

/** A promise of the service that a deployment does not keep; the message says what came instead. */
export class Broken extends Error {}

/** @throws Broken unless the two are equal */
export function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Broken(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
}

/** @throws Broken unless the text matches */
export function expectMatch(what: string, found: string | null, pattern: RegExp): void {
  if (found === null || !pattern.test(found))
    throw new Broken(`${what}: ${JSON.stringify(found)} does not match ${pattern}`);
}

// biome-ignore lint/suspicious/noExplicitAny: replies are JSON of many shapes
export type Json = any;

export interface SmokeRequest {
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: BodyInit;
  isAnonymous?: boolean;
}

/** An account of the service. */
export interface Account {
  email: string;
  apiKey: string;
}

/** Longer than any request may take: the gateway gives up after 30 s. */
const TIMEOUT_MS = 35_000;

/** Calls a deployment from outside, with the credentials of an account if there are any. */
export class Caller {
  readonly url: string;
  readonly account: Account | undefined;

  constructor(url: string, account: Account | undefined) {
    this.url = url.replace(/\/+$/, '');
    this.account = account;
  }

  /** `path` counts from the root of the service. Redirects are not followed. */
  send(method: string, path: string, request: SmokeRequest = {}): Promise<Response> {
    const { params = {}, headers, isAnonymous = false } = request;
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const isQuery = method === 'GET' || method === 'HEAD';
    const url = new URL(`${path}${isQuery && form.size > 0 ? `?${form}` : ''}`, this.url);
    const body = request.body ?? (isQuery || form.size === 0 ? undefined : form);
    return fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...(!isAnonymous && this.#authorization()), ...headers },
      ...(body !== undefined && { body }),
    });
  }

  /** Calls an operation. @throws Broken unless it succeeds */
  async call(method: string, path: string, params: Record<string, unknown> = {}): Promise<Json> {
    const reply = await this.send(method, `/api/v1${path}`, { params });
    return readSuccess(`${method} ${path}`, reply);
  }

  #authorization(): Record<string, string> {
    if (!this.account) return {};
    const { email, apiKey } = this.account;
    return { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` };
  }
}

/** The fields of a success. @throws Broken for any other answer */
export async function readSuccess(what: string, reply: Response): Promise<Json> {
  const text = await reply.text();
  if (reply.status !== 200) throw new Broken(`${what}: status ${reply.status}, ${text.slice(0, 300)}`);
  const body = JSON.parse(text);
  expectEqual(`${what}, result`, body.result, 'success');
  return body;
}
