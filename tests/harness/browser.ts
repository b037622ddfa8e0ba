import { sendTo } from './anonymous.ts';
import type { Params, Reply } from './client.ts';
import type { Question } from './exchange.ts';
import { PASSWORD } from './service.ts';

export interface Sent {
  /** Headers in addition to a browser's own; an undefined one is left out. */
  headers?: Record<string, string | undefined>;
}

/** A page of the service in a browser: sends the cookies that it got, and its origin. */
export class TestBrowser {
  readonly url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  /** The header by which it sends its cookies. */
  get cookie(): string | undefined {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? undefined : pairs.join('; ');
  }

  /** A call of the API. */
  call(method: string, path: string, params: Params = {}, sent: Sent = {}): Promise<Reply> {
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const isQuery = method === 'GET' || method === 'HEAD';
    const target = `${this.url}/api/v1${path}${isQuery && form.size > 0 ? `?${form}` : ''}`;
    return this.send(target, { method, ...(!isQuery && { body: form }) }, sent);
  }

  /** The headers of a request by an element such as `<img>`. */
  load(path: string): Promise<Reply> {
    return this.send(`${this.url}${path}`, {}, {});
  }

  signIn(email: string, password = PASSWORD): Promise<Reply> {
    return this.call('POST', '/session', { username: email, password });
  }

  async send(address: string, question: Question, { headers = {} }: Sent): Promise<Reply> {
    const all = { 'sec-fetch-site': 'same-origin', cookie: this.cookie, ...headers };
    const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined);
    const reply = await sendTo(address, { ...question, headers: Object.fromEntries(given) });
    for (const cookie of reply.headers.getSetCookie()) this.#keep(cookie);
    return reply;
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A browser in which a person is signed in. */
export async function signedInBrowser(url: string, email: string): Promise<TestBrowser> {
  const browser = new TestBrowser(url);
  const { status, body } = await browser.signIn(email);
  if (status !== 200) throw new Error(`Signing in failed: ${JSON.stringify(body)}`);
  return browser;
}
