import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Pace } from '#infra/backup/pace.ts';
import { openDynamo, type RawItem, RawTable } from '#infra/backup/table-items.ts';

test('what DynamoDB leaves undone it is asked for again, and the units of each call are asked for and count', async () => {
  interface Asked {
    ReturnConsumedCapacity: string;
    ConsistentRead?: boolean;
    RequestItems?: Record<string, { PutRequest: { Item: RawItem } }[]>;
  }
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Asked;
    asked.push(body);
    const left = body.RequestItems?.t?.slice(0, -1) ?? [];
    const isScan = request.headers['x-amz-target'] === 'DynamoDB_20120810.Scan';
    const reply = {
      ConsumedCapacity: isScan ? { CapacityUnits: 3 } : [{ CapacityUnits: 2 }, {}],
      UnprocessedItems: left.length > 0 ? { t: left } : {},
    };
    response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let waitedMs = 0;
  const pace = new Pace(
    1,
    () => 0,
    async (ms) => {
      await new Promise(setImmediate);
      waitedMs = ms;
    },
  );
  const raw = new RawTable(openDynamo(endpoint), 't', pace);
  await raw.put(['1', '2', '3'].map((sk) => ({ pk: { S: 'a' }, sk: { S: sk } })));
  expect(asked.map(({ RequestItems }) => RequestItems?.t?.map((one) => one.PutRequest.Item.sk?.S))).toEqual([
    ['1', '2', '3'],
    ['1', '2'],
    ['1'],
  ]);
  expect(waitedMs).toBe(6_000);
  await new RawTable(raw.client, 't', pace, 'transactions').put([{ pk: { S: 'a' }, sk: { S: 'b' } }]);
  expect(waitedMs).toBe(8_000);
  for await (const { items } of raw.scan()) expect(items).toEqual([]);
  expect(waitedMs).toBe(11_000);
  expect(asked.at(-1)?.ConsistentRead).toBe(true);
  expect(new Set(asked.map((one) => one.ReturnConsumedCapacity))).toEqual(new Set(['TOTAL']));
  raw.client.destroy();
  server.closeAllConnections();
  server.close();
});

test('a DynamoDB that is busy is asked ten times, with growing pauses, on a machine and on AWS', async () => {
  for (const { config } of [openDynamo(), openDynamo('http://127.0.0.1:9')]) {
    expect(await config.maxAttempts()).toBe(10);
    expect(config.retryMode).toBe('standard');
  }
});
