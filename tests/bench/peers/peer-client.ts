import { Agent, request } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';

/** A server of this protocol, and an account there that may add people. */
export interface Peer {
  name: string;
  url: string;
  email: string;
  key: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type Json = any;

const agents = {
  http: new Agent({ keepAlive: true }),
  https: new SecureAgent({ keepAlive: true }),
};

/** One account of a server. Node's own HTTP client takes less of the machine than `fetch` does. */
export class PeerClient {
  readonly #url: string;
  readonly #authorization: string | undefined;

  constructor(url: string, account?: { email: string; key: string }) {
    this.#url = `${url.replace(/\/+$/, '')}/api/v1`;
    if (account)
      this.#authorization = `Basic ${Buffer.from(`${account.email}:${account.key}`).toString('base64')}`;
  }

  /** @throws Error for any other answer than a success */
  async call(method: string, path: string, params: Record<string, unknown> = {}): Promise<Json> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    const isGet = method === 'GET';
    const body = isGet ? '' : form.toString();
    const text = await this.#exchange(method, `${this.#url}${path}${isGet ? `?${form}` : ''}`, body);
    const answer = JSON.parse(text);
    if (answer.result !== 'success') throw new Error(`${method} ${path}: ${text.slice(0, 500)}`);
    return answer;
  }

  #exchange(method: string, url: string, body: string): Promise<string> {
    const isSecure = url.startsWith('https:');
    const headers = {
      ...(this.#authorization && { authorization: this.#authorization }),
      ...(body && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const options = { method, headers, agent: isSecure ? agents.https : agents.http };
    return new Promise((resolve, reject) => {
      const asked = (isSecure ? requestSecurely : request)(url, options, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => resolve(Buffer.concat(chunks).toString()));
        reply.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
