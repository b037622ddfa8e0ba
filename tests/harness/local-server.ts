import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { atFileEnd } from './file-end.ts';

/** A web server on a free port of this machine, which ends with the file of tests at the latest. */
export abstract class LocalServer {
  protected readonly server: Server;

  constructor(options: ServerOptions = {}) {
    this.server = createServer(options, (request, response) => void this.serve(request, response)).unref();
  }

  protected abstract serve(request: IncomingMessage, response: ServerResponse): unknown;

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    atFileEnd(() => this.stop());
    return this;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** How many connections are open now. */
  countConnections(): Promise<number> {
    return new Promise((resolve) => this.server.getConnections((_failure, count) => resolve(count)));
  }
}

/** Starts a web server of its own for a test or a file of tests. */
export function serveLocally(listener: RequestListener, options: ServerOptions = {}): Promise<LocalServer> {
  class ListeningServer extends LocalServer {
    protected serve = listener;
  }
  return new ListeningServer(options).start();
}
