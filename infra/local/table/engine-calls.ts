import { channel } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { tableDefinition } from '#shared/table/definition.ts';
import { isConnectionFailure, isThrottle, type TableCalls } from '#shared/table/dynamo-table.ts';
import { UNVERIFIED } from '#shared/table/endpoint-credentials.ts';
import { writeRequest } from '#shared/table/expressions.ts';
import { type Key, prefixes } from '#shared/table/keys.ts';
import { Patience } from '#shared/table/patience.ts';
import type { Item } from '#shared/table/table.ts';
import { type Attributes, fromAttributes, toAttributes } from './attributes.ts';
import { EngineConnections, type EngineReply } from './engine-connections.ts';
import { sizeOf } from './item-size.ts';
import { type Ask, type OneWrite, WriteGroups } from './write-groups.ts';

type Values = Record<string, unknown>;
type RetryToken = Awaited<ReturnType<Patience['acquireInitialRetryToken']>>;

/** Tells the name of each call that the engine gets. */
export const engineAsked = channel('embedded-engine:asked');

const WRITE_UNIT_BYTES = 1_024;

const patience = new Patience();

/**
 * The calls of a table for an embedded engine: the JSON of DynamoDB on kept connections. The SDK would take
 * several times as long. Failures are those of the SDK, and what it would try again is tried again.
 */
export function engineCalls(endpoint: string): TableCalls {
  const ask = asking(endpoint);
  const groups = new WriteGroups(ask);
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own input and answer
  type Call = (input: any) => Promise<any>;
  const callOf = (operation: string): Call => {
    return async (input) => read(await ask(operation, JSON.stringify(written(input as Values))));
  };
  const writeOf = (kind: OneWrite['kind']): Call => {
    const alone = callOf(`${kind}Item`);
    return async (input) =>
      mayGoTogether(input) ? read(await groups.write(oneWrite(kind, input))) : alone(input);
  };
  return {
    get: callOf('GetItem'),
    getMany: callOf('BatchGetItem'),
    query: callOf('Query'),
    put: writeOf('Put'),
    update: writeOf('Update'),
    delete: callOf('DeleteItem'),
    transact: callOf('TransactWriteItems'),
  };
}

function asking(endpoint: string): Ask {
  const connections = new EngineConnections(endpoint);
  const head = headOf(endpoint);
  return (operation, parameters) => {
    const length = Buffer.byteLength(parameters);
    const request = `${head}${operation}\r\ncontent-length: ${length}\r\n\r\n${parameters}`;
    return patiently(async () => {
      engineAsked.publish(operation);
      return answerOf(await connections.ask(request));
    });
  };
}

/**
 * Whether a write may go together with others: that of a new item, and what is derived of a topic. It may be tried again like
 * one that goes alone, and a transaction tells what it takes, since an update of a topic concerns no index.
 */
const mayGoTogether = ({
  ConditionExpression,
  Item,
  Key,
  UpdateExpression,
  ReturnValues,
}: Values): boolean =>
  Item === undefined
    ? isTopic(Key as Key) && !String(UpdateExpression).includes('ADD ') && ReturnValues === undefined
    : ConditionExpression === IS_NEW;

const isTopic = ({ sk }: Key): boolean => String(sk).startsWith(prefixes.topic);
const { ConditionExpression: IS_NEW } = writeRequest({
  kind: 'put',
  item: { pk: '', sk: '' },
  condition: { exists: false },
});

function oneWrite(kind: OneWrite['kind'], input: Values): OneWrite {
  const { ReturnConsumedCapacity: _, ...parameters } = written(input);
  const { pk, sk, ...others } = (input.Item ?? input.Key) as Item;
  return {
    kind,
    item: `${pk} ${sk}`,
    parameters: JSON.stringify(parameters),
    units: input.Item ? Math.ceil(sizeOf(parameters.Item as Attributes) / WRITE_UNIT_BYTES) : 1,
    indexes: tableDefinition.indexes.filter(({ partitionKey }) => others[partitionKey] !== undefined).length,
  };
}

/** A request up to the name of its operation. */
function headOf(endpoint: string): string {
  const headers = {
    host: new URL(endpoint).host,
    ...UNVERIFIED,
    'content-type': 'application/x-amz-json-1.0',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST / HTTP/1.1\r\n${lines.join('')}x-amz-target: DynamoDB_20120810.`;
}

/** The parameters with attributes of DynamoDB, and all else as it is. */
function written(parameters: Values): Values {
  const result: Values = {};
  for (const name in parameters) {
    const value = parameters[name];
    if (ATTRIBUTES.has(name)) result[name] = toAttributes(value as Item);
    else if (name === 'TransactItems') result[name] = (value as Record<string, Values>[]).map(each(written));
    else if (name === 'RequestItems') result[name] = each(keysWritten)(value as Record<string, Values>);
    else result[name] = value;
  }
  return result;
}

const ATTRIBUTES = new Set(['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

const keysWritten = (batch: Values): Values => ({ ...batch, Keys: (batch.Keys as Item[]).map(toAttributes) });

const keysRead = (batch: Values): Values => ({
  ...batch,
  Keys: (batch.Keys as Attributes[]).map(fromAttributes),
});

/** An answer with plain values. */
function read(answer: Values): Values {
  const { Item, Items, Attributes, LastEvaluatedKey, Responses, UnprocessedKeys } = answer;
  return {
    ConsumedCapacity: answer.ConsumedCapacity,
    ...plain({ Item, Attributes, LastEvaluatedKey }),
    ...(Items !== undefined && { Items: (Items as Attributes[]).map(fromAttributes) }),
    ...(Responses !== undefined && {
      Responses: each((items: Attributes[]) => items.map(fromAttributes))(
        Responses as Record<string, Attributes[]>,
      ),
    }),
    ...(UnprocessedKeys !== undefined && {
      UnprocessedKeys: each(keysRead)(UnprocessedKeys as Record<string, Values>),
    }),
  };
}

const plain = (items: Values): Values =>
  Object.fromEntries(
    Object.entries(items)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, fromAttributes(item as Attributes)]),
  );

/** The same for each value of an object. */
const each =
  <From, To>(change: (value: From) => To) =>
  (values: Record<string, From>): Record<string, To> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** @throws Error as the SDK does */
function answerOf({ status, body }: EngineReply): Values {
  const answer = JSON.parse(body);
  if (status === 200) return answer;
  const { __type = '', message = answer.Message, Item, CancellationReasons } = answer;
  const name = String(__type).replace(/.*#/, '');
  const common = { message, $metadata: { httpStatusCode: status } };
  if (name === 'ConditionalCheckFailedException')
    throw new ConditionalCheckFailedException({ ...common, ...(Item && { Item: typed(Item) }) });
  if (name === 'TransactionCanceledException')
    throw new TransactionCanceledException({
      ...common,
      CancellationReasons: (CancellationReasons as { Item?: Attributes }[]).map((reason) => ({
        ...reason,
        Item: reason.Item && typed(reason.Item),
      })) as never,
    });
  throw Object.assign(new Error(message), { name, $metadata: common.$metadata });
}

/** An item as the SDK has it in failures. */
const typed = (attributes: Attributes) => marshall(fromAttributes(attributes));

async function patiently<Result>(act: () => Promise<Result>): Promise<Result> {
  let token: RetryToken | undefined;
  for (;;)
    try {
      return await act();
    } catch (failure) {
      token = await nextAttempt(token, failure as Error);
      await pause(token.getRetryDelay());
    }
}

/** Before another attempt. @throws Error that was given, when there is none */
async function nextAttempt(token: RetryToken | undefined, failure: Error): Promise<RetryToken> {
  const errorType = isThrottle(failure) ? 'THROTTLING' : 'TRANSIENT';
  if (errorType === 'TRANSIENT' && !isConnectionFailure(failure)) throw failure;
  const before = token ?? (await patience.acquireInitialRetryToken());
  return patience.refreshRetryTokenForRetry(before, { errorType }).catch(() => {
    throw failure;
  });
}
