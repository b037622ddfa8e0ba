import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ZoomApp } from '#shared/runtime/config.ts';
import { LocalServer } from './local-server.ts';

interface Received {
  path: string;
  authorization: string | undefined;
  body: unknown;
}

/** A server that answers as Zoom does, or as the test sets it. */
export class TestZoom extends LocalServer {
  received: Received[] = [];
  trouble: { at: '/oauth/' | '/users/'; status: number; body: unknown } | undefined;

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const { url: path = '', headers } = request;
    const body = content === '' ? undefined : JSON.parse(content);
    this.received.push({ path, authorization: headers.authorization, body });
    const { status, body: answer } =
      this.trouble && path.includes(this.trouble.at) ? this.trouble : this.#answer(path);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  get app(): ZoomApp {
    const names = { accountId: 'our account', clientId: 'our app', clientSecret: 'app secret' };
    return { ...names, tokenUrl: `${this.url}/oauth/token`, apiUrl: `${this.url}/v2` };
  }

  #answer(path: string): { status: number; body: unknown } {
    return path.startsWith('/oauth/')
      ? { status: 200, body: { access_token: 'token of an hour', expires_in: 3599 } }
      : { status: 201, body: { id: 7, join_url: 'https://example.zoom.us/j/7?pwd=secret' } };
  }
}
