import {
  type CancellationReason,
  ConditionalCheckFailedException,
  type ConsumedCapacity,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableDefinition } from './definition.ts';
import { credentialsFor } from './endpoint-credentials.ts';
import { queryRequest, writeRequest } from './expressions.ts';
import type { Key } from './keys/key.ts';
import { CALLS_AT_ONCE, paced } from './paced.ts';
import { Patience } from './patience.ts';
import {
  type CapacityMeter,
  ConditionFailed,
  type Item,
  type KeyPage,
  type Page,
  type Query,
  type Table,
  Throttled,
  TransactionCanceled,
  Unreachable,
  type Write,
} from './table.ts';

export interface DynamoTableOptions {
  tableName: string;
  region?: string;
  /** The address of another DynamoDB, for instance the embedded one. */
  endpoint?: string;
  meter?: CapacityMeter;
}

const KEYS_PER_BATCH = 100;
/**
 * Timeouts of an attempt for connecting and for its answer. AWS takes milliseconds; another DynamoDB may
 * share a busy computer with the service.
 */
const TIMES_MS = { aws: { connect: 1_000, answer: 5_000 }, elsewhere: { connect: 5_000, answer: 30_000 } };
const THROTTLE_NAMES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

const CONNECTION_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The table in DynamoDB. Creating the client does not connect; the first call does. */
export class DynamoTable implements Table {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;
  readonly #meter: CapacityMeter | undefined;

  constructor(options: DynamoTableOptions) {
    this.#client = openClient(options);
    this.#name = options.tableName;
    this.#meter = options.meter;
  }

  async find(key: Key, { eventually = false } = {}): Promise<Item | undefined> {
    const reply = await this.#read(() =>
      this.#client.send(new GetCommand({ ...this.#target(), Key: key, ConsistentRead: !eventually })),
    );
    return reply.Item;
  }

  async findMany(keys: Key[], { eventually = false } = {}): Promise<Item[]> {
    const found: Item[] = [];
    let waiting = keys;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, KEYS_PER_BATCH);
      const reply = await this.#read(() =>
        this.#client.send(
          new BatchGetCommand({
            RequestItems: { [this.#name]: { Keys: batch, ConsistentRead: !eventually } },
            ReturnConsumedCapacity: 'TOTAL',
          }),
        ),
      );
      found.push(...(reply.Responses?.[this.#name] ?? []));
      const unprocessed = (reply.UnprocessedKeys?.[this.#name]?.Keys ?? []) as Key[];
      waiting = [...unprocessed, ...waiting.slice(KEYS_PER_BATCH)];
    }
    return found;
  }

  async page(query: Query): Promise<Page> {
    const { items, more } = await this.#queryFrom(query, undefined);
    return { items, more };
  }

  async list(query: Query): Promise<Item[]> {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const page = await this.#queryFrom(query, start);
      items.push(...page.items);
      start = page.next;
    } while (start !== undefined && (query.limit === undefined || items.length < query.limit));
    return query.limit === undefined ? items : items.slice(0, query.limit);
  }

  async write(write: Exclude<Write, { kind: 'check' }>): Promise<void> {
    const request = { ...this.#target(), ...writeRequest(write) };
    await this.#write<Metered>(() => {
      if (write.kind === 'put') return this.#client.send(new PutCommand({ ...request, Item: write.item }));
      const keyed = { ...request, Key: write.key };
      return write.kind === 'delete'
        ? this.#client.send(new DeleteCommand(keyed))
        : this.#client.send(new UpdateCommand(keyed));
    });
  }

  async scanKeys(after?: Key): Promise<KeyPage> {
    const reply = await this.#read(() =>
      this.#client.send(
        new ScanCommand({
          ...this.#target(),
          ConsistentRead: true,
          // The policy of the function demands both.
          Select: 'SPECIFIC_ATTRIBUTES',
          ProjectionExpression: [tableDefinition.partitionKey, tableDefinition.sortKey].join(', '),
          ...(after && { ExclusiveStartKey: after }),
        }),
      ),
    );
    return { keys: (reply.Items ?? []) as Key[], next: reply.LastEvaluatedKey as Key | undefined };
  }

  async increment(key: Key, attribute: string, by = 1, set: Item = {}): Promise<number> {
    const write = writeRequest({ kind: 'update', key, set, add: { [attribute]: by } });
    const reply = await this.#write(() =>
      this.#client.send(
        new UpdateCommand({ ...this.#target(), ...write, Key: key, ReturnValues: 'UPDATED_NEW' }),
      ),
    );
    return Number(reply.Attributes?.[attribute]);
  }

  async transact(writes: Write[], requestToken: string): Promise<void> {
    await this.#write(() =>
      this.#client.send(
        new TransactWriteCommand({
          ClientRequestToken: requestToken,
          TransactItems: writes.map((write) => this.#transactItem(write)),
          ReturnConsumedCapacity: 'TOTAL',
        }),
      ),
    );
  }

  #transactItem(write: Write) {
    const request = { TableName: this.#name, ...writeRequest(write) };
    if (write.kind === 'put') return { Put: { ...request, Item: write.item } };
    const keyed = { ...request, Key: write.key };
    if (write.kind === 'delete') return { Delete: keyed };
    if (write.kind === 'check')
      return { ConditionCheck: { ...keyed, ConditionExpression: keyed.ConditionExpression ?? '' } };
    return { Update: { ...keyed, UpdateExpression: keyed.UpdateExpression ?? '' } };
  }

  async #queryFrom(query: Query, start: Item | undefined): Promise<Page & { next: Item | undefined }> {
    const index = tableDefinition.indexes.find(({ name }) => name === query.index);
    const { partitionKey, sortKey } = index ?? tableDefinition;
    const reply = await this.#read(() =>
      this.#client.send(
        new QueryCommand({
          ...this.#target(),
          ...queryRequest(query, partitionKey, sortKey),
          ...(query.index && { IndexName: query.index }),
          ...(query.limit && { Limit: query.limit }),
          ...(query.backwards && { ScanIndexForward: false }),
          ...(query.consistent && { ConsistentRead: true }),
          ...(start && { ExclusiveStartKey: start }),
        }),
      ),
    );
    const next = reply.LastEvaluatedKey;
    return { items: reply.Items ?? [], more: next !== undefined, next };
  }

  #target() {
    return { TableName: this.#name, ReturnConsumedCapacity: 'TOTAL' as const };
  }

  #read<Reply extends Metered>(call: () => Promise<Reply>): Promise<Reply> {
    return this.#call(call, (units) => ({ read: units, write: 0 }));
  }

  #write<Reply extends Metered>(call: () => Promise<Reply>): Promise<Reply> {
    return this.#call(call, (units) => ({ read: 0, write: units }));
  }

  async #call<Reply extends Metered>(
    call: () => Promise<Reply>,
    toUnits: (units: number) => { read: number; write: number },
  ): Promise<Reply> {
    try {
      const reply = await call();
      const consumed = [reply.ConsumedCapacity ?? []].flat();
      this.#meter?.(
        toUnits(consumed.reduce((sum, consumption) => sum + (consumption.CapacityUnits ?? 0), 0)),
      );
      return reply;
    } catch (failure) {
      throw toTableFailure(failure);
    }
  }
}

function openClient(options: DynamoTableOptions): DynamoDBDocumentClient {
  const { connect, answer } = TIMES_MS[options.endpoint ? 'elsewhere' : 'aws'];
  const client = new DynamoDBClient({
    retryStrategy: new Patience(),
    requestHandler: {
      connectionTimeout: connect,
      socketTimeout: answer,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: CALLS_AT_ONCE },
      httpsAgent: { maxSockets: CALLS_AT_ONCE },
    },
    ...(options.region && { region: options.region }),
    ...(options.endpoint && { endpoint: options.endpoint, ...credentialsFor(options.endpoint) }),
  });
  client.config.requestHandler = paced(client.config.requestHandler, answer);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

interface SdkFailure extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

interface Metered {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

/** Translates errors of the SDK into the failures that callers distinguish; others are unchanged. */
function toTableFailure(failure: unknown): unknown {
  if (failure instanceof ConditionalCheckFailedException)
    return new ConditionFailed(failure.Item && unmarshall(failure.Item));
  if (failure instanceof TransactionCanceledException) return toCanceled(failure.CancellationReasons ?? []);
  if (!(failure instanceof Error)) return failure;
  if (failure.name === 'TransactionConflictException' || failure.name === 'TransactionInProgressException')
    return new TransactionCanceled([], true);
  if (isThrottle(failure)) return new Throttled(failure.message);
  return isConnectionFailure(failure) ? new Unreachable(failure) : failure;
}

export const isThrottle = ({ name }: Error): boolean => THROTTLE_NAMES.has(name);

/**
 * Whether a call did not reach the table, got no answer in time, or an answer that the table is unavailable.
 */
export function isConnectionFailure(failure: SdkFailure): boolean {
  const status = failure.$metadata?.httpStatusCode ?? 0;
  return failure.name === 'TimeoutError' || CONNECTION_CODES.has(failure.code ?? '') || status >= 500;
}

function toCanceled(reasons: CancellationReason[]): Error {
  const failed = reasons.flatMap((reason, index) =>
    reason.Code === 'ConditionalCheckFailed'
      ? [{ index, existing: reason.Item && unmarshall(reason.Item) }]
      : [],
  );
  if (failed.length > 0) return new TransactionCanceled(failed, false);
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return new TransactionCanceled([], true);
  if (reasons.some(({ Code }) => Code === 'ThrottlingError' || Code === 'ProvisionedThroughputExceeded'))
    return new Throttled('A transaction was throttled');
  return new TransactionCanceled([], false);
}
