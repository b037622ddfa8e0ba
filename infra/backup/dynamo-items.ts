import {
  BatchWriteItemCommand,
  type ConsumedCapacity,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { credentialsFor } from '#shared/table/endpoint-credentials.ts';
import { LOCAL_REGION } from '../local/create-table.ts';
import type { Pace } from './pace.ts';
import type { RawItem, RawTable } from './raw-items.ts';

const ITEMS_PER_BATCH = 25;
const BATCHES_AT_ONCE = 4;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** A client of the DynamoDB at an address, or of that of AWS. */
export function openDynamo(endpoint?: string): DynamoDBClient {
  const patient: DynamoDBClientConfig = { maxAttempts: 10, retryMode: 'standard' };
  return new DynamoDBClient(
    endpoint ? { ...patient, endpoint, region: LOCAL_REGION, ...credentialsFor(endpoint) } : patient,
  );
}

/** The items of a table in DynamoDB. */
export class DynamoItems implements RawTable {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly #pace: Pace;

  constructor(client: DynamoDBClient, name: string, pace: Pace) {
    this.client = client;
    this.name = name;
    this.#pace = pace;
  }

  /** Strongly consistent, each page for itself. */
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
    const batches = chunksOf(requests, ITEMS_PER_BATCH);
    const writer = async (): Promise<void> => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.#writeBatch(batch);
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, writer));
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
