import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as a server outside of the service got it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Respond = (received: ReceivedRequest, response: ServerResponse) => void;

/** A web server outside of the service, on a free port of this machine. */
export class Receiver {
  readonly #server: Server;
  readonly received: ReceivedRequest[] = [];
  /** How it answers; the default is an empty JSON object. */
  respond: Respond = (_received, response) => void response.end('{}');

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.unref();
  }

  /** Host and port, as in `OUTGOING_ALLOW`. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: await text(request) };
    this.received.push(received);
    this.respond(received, response);
  }
}
