import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy of DynamoDB that counts reads of the log. */
export class WatchedEngine {
  looks = 0;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(endpoint: string) {
    this.#server = createServer((asked, answer) => void this.#pass(endpoint, asked, answer));
  }

  static async start(endpoint: string): Promise<WatchedEngine> {
    const engine = new WatchedEngine(endpoint);
    engine.#server.listen(0, '127.0.0.1');
    await once(engine.#server, 'listening');
    return engine;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #pass(endpoint: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const isQuery = String(asked.headers['x-amz-target']).endsWith('.Query');
    if (isQuery && body.includes('"LOG#')) this.looks++;
    const { method, headers } = asked;
    const passed = request(endpoint, { method, headers, agent: this.#agent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    passed.once('error', () => answer.destroy());
    passed.end(body);
  }
}
