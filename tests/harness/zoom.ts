import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ZoomApp } from '#shared/runtime/config.ts';

interface Received {
  path: string;
  authorization: string | undefined;
  body: unknown;
}

/** A server that answers as Zoom does, or as the test sets it. */
export class TestZoom {
  readonly #server = createServer(async (request, response) => {
    const content = await text(request);
    const { url: path = '', headers } = request;
    const body = content === '' ? undefined : JSON.parse(content);
    this.received.push({ path, authorization: headers.authorization, body });
    const { status, body: answer } =
      this.trouble && path.includes(this.trouble.at) ? this.trouble : this.#answer(path);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  received: Received[] = [];
  trouble: { at: '/oauth/' | '/users/'; status: number; body: unknown } | undefined;

  async start(): Promise<this> {
    this.#server.unref().listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get app(): ZoomApp {
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const names = { accountId: 'our account', clientId: 'our app', clientSecret: 'app secret' };
    return { ...names, tokenUrl: `${url}/oauth/token`, apiUrl: `${url}/v2` };
  }

  #answer(path: string): { status: number; body: unknown } {
    return path.startsWith('/oauth/')
      ? { status: 200, body: { access_token: 'token of an hour', expires_in: 3599 } }
      : { status: 201, body: { id: 7, join_url: 'https://example.zoom.us/j/7?pwd=secret' } };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
