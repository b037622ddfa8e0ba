import {
  type AttributeValue,
  BatchWriteItemCommand,
  type ConsumedCapacity,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { credentialsFor } from '#shared/table/endpoint-credentials.ts';
import { byName } from '../by-name.ts';
import { LOCAL_REGION } from '../local/create-table.ts';
import type { Pace } from './pace.ts';

/** An item as DynamoDB holds it: numbers are texts, so none is rounded. */
export type RawItem = Record<string, AttributeValue>;

const ITEMS_PER_BATCH = 25;
const BATCHES_AT_ONCE = 4;
const ITEMS_PER_TRANSACTION = 100;
/** A transaction takes 4 MB as DynamoDB counts them, which is less than the line of an item has. */
const TRANSACTION_BYTES = 4_000_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** A client of the DynamoDB at an address, or of that of AWS. */
export function openDynamo(endpoint?: string): DynamoDBClient {
  const patient: DynamoDBClientConfig = { maxAttempts: 10, retryMode: 'standard' };
  return new DynamoDBClient(
    endpoint ? { ...patient, endpoint, region: LOCAL_REGION, ...credentialsFor(endpoint) } : patient,
  );
}

/** How items are written: batches are cheaper on AWS; of a transaction the embedded engine syncs its file once. */
export type Writing = 'batches' | 'transactions';

/** Reads and writes a table item by item, whatever the items say. */
export class RawTable {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly #pace: Pace;
  readonly #writing: Writing;

  constructor(client: DynamoDBClient, name: string, pace: Pace, writing: Writing = 'batches') {
    this.client = client;
    this.name = name;
    this.#pace = pace;
    this.#writing = writing;
  }

  /** The items in pages of up to 1 MB, each with the key to go on from; strongly consistent, each page for itself. */
  async *scan(after?: RawItem): AsyncGenerator<{ items: RawItem[]; after: RawItem | undefined }> {
    let start = after;
    do {
      const reply = await this.client.send(
        new ScanCommand({
          TableName: this.name,
          ConsistentRead: true,
          ReturnConsumedCapacity: 'TOTAL',
          ExclusiveStartKey: start,
        }),
      );
      start = reply.LastEvaluatedKey;
      yield { items: reply.Items ?? [], after: start };
      await this.#pace.spend(unitsOf(reply.ConsumedCapacity));
    } while (start);
  }

  async find(key: { pk: string; sk: string }): Promise<RawItem | undefined> {
    const Key = { pk: { S: key.pk }, sk: { S: key.sk } };
    const reply = await this.client.send(
      new GetItemCommand({ TableName: this.name, Key, ConsistentRead: true }),
    );
    return reply.Item;
  }

  async put(items: RawItem[]): Promise<void> {
    await this.#write(items.map((Item) => ({ PutRequest: { Item } })));
  }

  async remove(keys: RawItem[]): Promise<void> {
    await this.#write(keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as RawItem } })));
  }

  async #write(requests: WriteRequest[]): Promise<void> {
    if (this.#writing === 'transactions') return this.#writeTransactions(requests);
    const batches = chunksOf(requests, ITEMS_PER_BATCH);
    const writer = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.#writeBatch(batch);
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, writer));
  }

  async #writeTransactions(requests: WriteRequest[]): Promise<void> {
    for (const transaction of transactionsOf(requests)) {
      const TransactItems = transaction.map(({ PutRequest, DeleteRequest }) => ({
        ...(PutRequest && { Put: { TableName: this.name, Item: PutRequest.Item } }),
        ...(DeleteRequest && { Delete: { TableName: this.name, Key: DeleteRequest.Key } }),
      }));
      const reply = await this.client.send(
        new TransactWriteItemsCommand({ TransactItems, ReturnConsumedCapacity: 'TOTAL' }),
      );
      await this.#pace.spend(unitsOf(reply.ConsumedCapacity));
    }
  }

  /** What DynamoDB leaves undone it is asked for again, after growing pauses. */
  async #writeBatch(batch: WriteRequest[]): Promise<void> {
    let left = batch;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const reply = await this.client.send(
        new BatchWriteItemCommand({ RequestItems: { [this.name]: left }, ReturnConsumedCapacity: 'TOTAL' }),
      );
      await this.#pace.spend(unitsOf(reply.ConsumedCapacity));
      left = reply.UnprocessedItems?.[this.name] ?? [];
      if (left.length === 0) return;
      await this.#pace.rest(Math.min(pauseMs, LONGEST_PAUSE_MS));
    }
  }
}

const unitsOf = (consumed: ConsumedCapacity | ConsumedCapacity[] = []): number =>
  [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

function chunksOf<One>(all: One[], size: number): One[][] {
  const chunks: One[][] = [];
  for (let from = 0; from < all.length; from += size) chunks.push(all.slice(from, from + size));
  return chunks;
}

function* transactionsOf(requests: WriteRequest[]): Generator<WriteRequest[]> {
  let transaction: WriteRequest[] = [];
  let bytes = 0;
  for (const request of requests) {
    const size = toLine(request.PutRequest?.Item ?? {}).length;
    if (transaction.length === ITEMS_PER_TRANSACTION || bytes + size > TRANSACTION_BYTES) {
      yield transaction;
      transaction = [];
      bytes = 0;
    }
    transaction.push(request);
    bytes += size;
  }
  if (transaction.length > 0) yield transaction;
}

/** The line of an item: binary values in base64, as DynamoDB's exports have them. Equal items have equal lines. */
export const toLine = (item: RawItem): string =>
  `${JSON.stringify({ Item: item }, (_key, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    return isRecord(value) ? inOrder(value) : value;
  })}\n`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** DynamoDB returns maps and sets in any order. */
const inOrder = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record)
      .sort(([one], [other]) => byName(one, other))
      .map(([name, value]) => [name, /^[NS]S$/.test(name) && isTexts(value) ? value.toSorted() : value]),
  );

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

export const fromLine = (line: string): RawItem =>
  mapValues((JSON.parse(line) as { Item: RawItem }).Item, withBytes);

/** No `Buffer`, which writes itself down in another way. */
const bytesOf = (base64: unknown): Uint8Array => Uint8Array.from(Buffer.from(String(base64), 'base64'));

function withBytes(value: AttributeValue): AttributeValue {
  if (value.B !== undefined) return { B: bytesOf(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(bytesOf) };
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  if (value.M !== undefined) return { M: mapValues(value.M, withBytes) };
  return value;
}

const mapValues = <One>(record: Record<string, One>, change: (one: One) => One): Record<string, One> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
