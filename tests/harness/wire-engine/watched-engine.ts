import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LocalServer } from '#tests/harness/local-server.ts';

/** A proxy of DynamoDB that counts reads of the log. */
export class WatchedEngine extends LocalServer {
  looks = 0;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #endpoint: string;

  constructor(endpoint: string) {
    super();
    this.#endpoint = endpoint;
  }

  override async stop(): Promise<void> {
    this.#agent.destroy();
    await super.stop();
  }

  protected async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const isQuery = String(asked.headers['x-amz-target']).endsWith('.Query');
    if (isQuery && body.includes('"LOG#')) this.looks++;
    const { method, headers } = asked;
    const passed = request(this.#endpoint, { method, headers, agent: this.#agent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    passed.once('error', () => answer.destroy());
    passed.end(body);
  }
}
