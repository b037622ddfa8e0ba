import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { DynamoItems, openDynamo } from '#infra/backup/dynamo-items.ts';
import { Pace } from '#infra/backup/pace.ts';
import type { RawItem } from '#infra/backup/raw-items.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

test('Unprocessed items are requested again, and the units of each call are requested and counted', async () => {
  interface Asked {
    ReturnConsumedCapacity: string;
    ConsistentRead?: boolean;
    RequestItems?: Record<string, { PutRequest: { Item: RawItem } }[]>;
  }
  const asked: Asked[] = [];
  const server = await serveLocally(async (request, response) => {
    const body = (await json(request)) as Asked;
    asked.push(body);
    const left = body.RequestItems?.t?.slice(0, -1) ?? [];
    const isScan = request.headers['x-amz-target'] === 'DynamoDB_20120810.Scan';
    const reply = {
      ConsumedCapacity: isScan ? { CapacityUnits: 3 } : [{ CapacityUnits: 2 }, {}],
      UnprocessedItems: left.length > 0 ? { t: left } : {},
    };
    response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(reply));
  });
  let waitedMs = 0;
  const rests: number[] = [];
  const pace = new Pace(
    1,
    () => 0,
    async (ms) => {
      await new Promise(setImmediate);
      if (ms < 1_000) rests.push(ms);
      else waitedMs = ms;
    },
  );
  const raw = new DynamoItems(openDynamo(server.url), 't', pace);
  await raw.put(['1', '2', '3'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk } })));
  expect(
    asked.map(({ RequestItems }) => RequestItems?.t?.map(({ PutRequest }) => PutRequest.Item.sk?.S)),
  ).toEqual([['1', '2', '3'], ['1', '2'], ['1']]);
  expect(waitedMs).toBe(6_000);
  expect(rests).toEqual([50, 100]);
  for await (const { items } of raw.scan()) expect(items).toEqual([]);
  expect(waitedMs).toBe(9_000);
  expect(asked.at(-1)?.ConsistentRead).toBe(true);
  expect(new Set(asked.map(({ ReturnConsumedCapacity }) => ReturnConsumedCapacity))).toEqual(
    new Set(['TOTAL']),
  );
  expect(await raw.find({ pk: 'a', sk: 'b' })).toBeUndefined();
  expect(asked.at(-1)?.ConsistentRead).toBe(true);
  raw.client.destroy();
  await server.stop();
});

test('Batches are written four at a time, and the pauses for unprocessed items end at five seconds', async () => {
  let [underWay, most, refusals] = [0, 0, 0];
  const server = await serveLocally(async (request, response) => {
    const { RequestItems } = (await json(request)) as { RequestItems: Record<string, unknown[]> };
    most = Math.max(most, ++underWay);
    // A request beside it has come by then.
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
    underWay--;
    const UnprocessedItems = refusals-- > 0 ? RequestItems : {};
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ UnprocessedItems }));
  });
  const rests: number[] = [];
  const pace = new Pace(undefined, Date.now, async (ms) => {
    const before = underWay;
    for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
    expect(underWay, 'nothing is asked during a pause').toBe(before);
    rests.push(ms);
  });
  const raw = new DynamoItems(openDynamo(server.url), 't', pace);
  const items = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ pk: { S: 'a' }, sk: { S: `${n}` } }));
  await raw.put(items(25 * 12));
  expect(most).toBe(4);
  refusals = 9;
  await raw.put(items(1));
  expect(rests).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  raw.client.destroy();
  await server.stop();
});

test('A busy DynamoDB gets ten attempts, with growing pauses, on a machine and on AWS', async () => {
  for (const { config } of [openDynamo(), openDynamo('http://127.0.0.1:9')]) {
    expect(await config.maxAttempts()).toBe(10);
    expect(config.retryMode).toBe('standard');
  }
});
