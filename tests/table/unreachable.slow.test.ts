import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createTable } from '#infra/local/create-table.ts';
import { beginRequest } from '#shared/table/deadline.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { ConditionFailed, Unreachable } from '#shared/table/table.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';

/** The fate of a call on its way. */
type Trouble = 'reset' | 'error' | 'silence' | 'throttle' | undefined;

await useWireEngine();
const tableName = `unreachable-${randomUUID()}`;
let table: DynamoTable;
/** The fates of the next calls; none for later ones. */
let troubles: Trouble[];
let always: Trouble;
let delayMs: number;
let attempts: number;
let underWay: number;
let mostUnderWay: number;

await createTable({ endpoint: engineEndpoint(), tableName });
const server = await serveLocally(pass);
beforeEach(() => {
  troubles = [];
  always = undefined;
  delayMs = 0;
  attempts = 0;
  underWay = 0;
  mostUnderWay = 0;
});

function describeCalls(rule: string, tests: (tableAt: (port: number) => DynamoTable) => void): void {
  describe(rule, () => {
    const tableAt = (port: number): DynamoTable =>
      new DynamoTable({ endpoint: `http://127.0.0.1:${port}`, tableName, region: 'us-east-1' });
    beforeEach(() => {
      table = tableAt(server.port);
    });
    tests(tableAt);
  });
}

/** A proxy between the service and the engine. */
async function pass(call: IncomingMessage, reply: ServerResponse): Promise<void> {
  attempts++;
  mostUnderWay = Math.max(mostUnderWay, ++underWay);
  reply.on('close', () => underWay--);
  const trouble = troubles.shift() ?? always;
  if (trouble === 'reset') return void call.socket.destroy();
  if (trouble === 'silence') return;
  if (trouble) {
    const type = trouble === 'error' ? 'InternalServerError' : 'ProvisionedThroughputExceededException';
    reply.statusCode = trouble === 'error' ? 500 : 400;
    reply.setHeader('content-type', 'application/x-amz-json-1.0');
    return void reply.end(JSON.stringify({ __type: type, message: 'As the test wants it' }));
  }
  await pause(delayMs);
  const { method, headers, url } = call;
  const { hostname, port } = new URL(engineEndpoint());
  const onwards = request({ hostname, port, method, headers, path: url }, (answer) => {
    reply.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(reply);
  });
  call.pipe(onwards);
}

describeCalls('A call', () => {
  test.each<[string, Trouble[]]>([
    ['whose connection is reset', ['reset']],
    ['whose connection is reset again and again', ['reset', 'reset', 'reset', 'reset', 'reset', 'reset']],
    ['that finds the table out of order', ['error', 'error']],
    ['that is throttled', ['throttle']],
  ])('A retried failure: %s', async (_what, planned) => {
    troubles = [...planned];
    await table.write({ kind: 'put', item: { ...userKeys.user(1), name: 'Ada' } });
    expect(await table.find(userKeys.user(1))).toMatchObject({ name: 'Ada' });
    expect(attempts).toBe(planned.length + 2);
  });

  test('A call that its condition refuses is not retried', async () => {
    await table.write({ kind: 'put', item: { ...userKeys.user(2), name: 'Bo' } });
    const again = table.write({
      kind: 'put',
      item: { ...userKeys.user(2), name: 'Cy' },
      condition: { exists: false },
    });
    await expect(again).rejects.toThrow(ConditionFailed);
    expect(attempts).toBe(2);
  });

  test('A call is retried however many calls failed before', async () => {
    troubles = Array.from({ length: 200 }, () => 'reset' as const);
    const calls = Array.from({ length: 100 }, () => table.find(userKeys.user(1)));
    expect(await Promise.all(calls)).toHaveLength(100);
  });
});

describeCalls('Many simultaneous calls', () => {
  test('Calls never exceed the number of connections, and none fails because it waits for one', async () => {
    delayMs = 300;
    const calls = Array.from({ length: 250 }, () => table.find(userKeys.user(1)));
    expect(await Promise.all(calls)).toHaveLength(250);
    expect(mostUnderWay).toBe(50);
    expect(attempts).toBe(250);
  });
});

describeCalls('A call within a request', (tableAt) => {
  afterAll(() => beginRequest(Number.POSITIVE_INFINITY));

  test.each<[string, Trouble]>([
    ['gets no answer', 'silence'],
    ['is reset each time', 'reset'],
    ['finds the table out of order each time', 'error'],
  ])(
    'A call within a request that %s is declared unreachable before the time of the request ends',
    async (_what, trouble) => {
      always = trouble;
      let isOver = false;
      beginRequest(1_000);
      const end = setTimeout(() => {
        isOver = true;
      }, 1_000);
      await expect(table.find(userKeys.user(1))).rejects.toThrow(Unreachable);
      expect(isOver).toBe(false);
      clearTimeout(end);
    },
  );

  test('A call within a request whose table listens nowhere is declared unreachable', async () => {
    beginRequest(1_000);
    await expect(tableAt(9).find(userKeys.user(1))).rejects.toThrow(Unreachable);
  });
});
