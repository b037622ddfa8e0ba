import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { DynamoTable, type DynamoTableOptions } from '#shared/table/dynamo-table.ts';
import type { Key } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import type { Random } from '#tests/simulation/random.ts';

interface Batch {
  RequestItems: Record<string, { Keys: object[] } & object>;
}

/** DynamoDB when it is busy: it answers a part of each batch, and gives the other keys back. */
export class PartialBatches {
  readonly #options: DynamoTableOptions & { endpoint: string };
  readonly #random: Random;
  #server: Server | undefined;
  #table: DynamoTable | undefined;

  constructor(options: DynamoTableOptions & { endpoint: string }, random: Random) {
    this.#options = options;
    this.#random = random;
  }

  /** Reads a batch by the code that ships. */
  async findMany(keys: Key[], options?: { eventually?: boolean }): Promise<Item[]> {
    this.#table ??= new DynamoTable({ ...this.#options, endpoint: await this.#listen() });
    return this.#table.findMany(keys, options);
  }

  async stop(): Promise<void> {
    if (!this.#server) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #listen(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(JSON.stringify(await this.#answer(request)));
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage): Promise<object> {
    const { RequestItems, ...rest } = JSON.parse((await buffer(request)).toString()) as Batch;
    const [[name, wanted] = ['', { Keys: [] }]] = Object.entries(RequestItems);
    const count = this.#random.between(1, wanted.Keys.length);
    const answered = { ...wanted, Keys: wanted.Keys.slice(0, count) };
    const left = { ...wanted, Keys: wanted.Keys.slice(count) };
    const { 'x-amz-target': target = '', authorization = '', 'x-amz-date': date = '' } = request.headers;
    const reply = await fetch(this.#options.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': String(target),
        'x-amz-date': String(date),
        authorization,
      },
      body: JSON.stringify({ ...rest, RequestItems: { [name]: answered } }),
    });
    const answer = (await reply.json()) as object;
    return left.Keys.length === 0 ? answer : { ...answer, UnprocessedKeys: { [name]: left } };
  }
}
