import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalServer } from './local-server.ts';

/** A request as a server outside of the service got it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Respond = (received: ReceivedRequest, response: ServerResponse) => void;

/** A web server outside of the service; `OUTGOING_ALLOW` has its `host`. */
export class Receiver extends LocalServer {
  readonly received: ReceivedRequest[] = [];
  /** How it answers; the default is an empty JSON object. */
  respond: Respond = (_received, response) => void response.end('{}');

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: await text(request) };
    this.received.push(received);
    this.respond(received, response);
  }
}
