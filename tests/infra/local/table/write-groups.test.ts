import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTable } from '#infra/local/create-table.ts';
import { type Engine, startEngine } from '#infra/local/engine.ts';
import { engineAsked, engineCalls } from '#infra/local/table/engine-calls.ts';
import { type OneWrite, WriteGroups } from '#infra/local/table/write-groups.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Write } from '#shared/table/table.ts';
import { Random } from '#tests/simulation/random.ts';

type OneTableWrite = Exclude<Write, { kind: 'check' }>;

const tableName = 'groups';
let engine: Engine;
let table: DynamoTable;
/** What the engine was asked since the test began. */
let asked: string[];
let units: number;

const note = (operation: unknown): void => void asked.push(String(operation));

beforeAll(async () => {
  engineAsked.subscribe(note);
  asked = [];
  engine = await startEngine();
  await createTable({ endpoint: engine.endpoint, tableName });
});
afterAll(async () => {
  engineAsked.unsubscribe(note);
  await engine.stop();
});
beforeEach(() => {
  const options = {
    endpoint: engine.endpoint,
    tableName,
    meter: ({ write }: { write: number }) => {
      units += write;
    },
  };
  table = new DynamoTable(options, engineCalls(engine.endpoint));
  asked = [];
  units = 0;
});

const putNew = (item: Item): OneTableWrite => ({
  kind: 'put',
  item: { ...keys.logEntry(0), ...item } as never,
  condition: { exists: false },
});

const topic = (name: string, maxMessageId: number): OneTableWrite => ({
  kind: 'update',
  key: keys.topic(7, name),
  set: { topic: name, maxMessageId },
  condition: { belowOrAbsent: { maxMessageId } },
});

const writeAll = (writes: OneTableWrite[]) => Promise.allSettled(writes.map((write) => table.write(write)));

describe('writes that come while two others are under way', () => {
  test('go together, and the first two have gone alone', async () => {
    await writeAll(['a', 'b', 'c', 'd'].map((sk) => putNew({ pk: 'together', sk })));
    expect(asked).toEqual(['PutItem', 'PutItem', 'TransactWriteItems']);
    expect(await table.list({ partition: 'together' })).toHaveLength(4);
  });

  test('are answered one by one when one of them is refused', async () => {
    const there = { pk: 'refused', sk: 'c', text: 'there' };
    await table.write(putNew(there));
    const outcomes = await writeAll(
      ['a', 'b', 'c', 'd'].map((sk) => putNew({ pk: 'refused', sk, text: 'new' })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    const [, , { reason }] = outcomes as [unknown, unknown, PromiseRejectedResult];
    expect(reason).toBeInstanceOf(ConditionFailed);
    expect(reason.existing).toEqual(there);
    const texts = (await table.list({ partition: 'refused' })).map(({ text }) => text);
    expect(texts).toEqual(['new', 'new', 'there', 'new']);
  });

  test('are answered one by one when the engine finds one of them invalid', async () => {
    const outcomes = await writeAll([
      putNew({ pk: 'invalid', sk: 'a' }),
      putNew({ pk: 'invalid', sk: 'b' }),
      putNew({ pk: 'invalid', sk: 'c' }),
      putNew({ pk: 'invalid', sk: '' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  test('of one item are made one after the other, in order', async () => {
    await writeAll([1, 2, 3, 4].map((id) => topic('same', id)));
    expect(asked).toEqual(['UpdateItem', 'UpdateItem', 'UpdateItem', 'UpdateItem']);
    expect(await table.find(keys.topic(7, 'same'))).toMatchObject({ maxMessageId: 4 });
  });

  test('go alone when they replace something, add to a number or delete', async () => {
    const key = { pk: 'alone', sk: 'a' };
    await table.write(putNew(key));
    asked = [];
    await writeAll([
      putNew({ pk: 'alone', sk: 'b' }),
      { kind: 'put', item: { ...key, text: 'replaced' } },
      { kind: 'update', key: keys.topic(7, 'added'), add: { count: 1 } },
      { kind: 'update', key, set: { text: 'set' } },
      { kind: 'delete', key: { pk: 'alone', sk: 'c' } },
    ]);
    expect(asked.toSorted()).toEqual(['DeleteItem', 'PutItem', 'PutItem', 'UpdateItem', 'UpdateItem']);
  });
});

/** Any attribute of an item. */
function anyValue(random: Random, depth = 0): unknown {
  const inner = () => anyValue(random, depth + 1);
  return random.pick<() => unknown>([
    () => random.between(0, 2_000_000),
    () => -random.between(0, 900),
    () => random.between(1, 9) * 1_000 + 0.5,
    () => 'é'.repeat(random.between(0, 40)),
    () => random.chance(0.5),
    () => null,
    () => new Set(['ab', 'c']),
    () => new Set([1, 20, 333]),
    () => new Uint8Array(random.between(0, 20)),
    () => (depth > 2 ? [] : [inner(), inner()]),
    () => (depth > 2 ? {} : { abc: inner(), d: inner() }),
  ])();
}

test('a write takes the same units together with others as alone', async () => {
  const random = new Random(5);
  for (let n = 0; n < 40; n++) {
    const items = Array.from({ length: 6 }, (_, one) => ({
      sk: `${n}-${one}`,
      text: 'x'.repeat(random.between(700, 2_300)),
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [name, anyValue(random)])),
      ...(random.chance(0.5) && { inConversation: 'conversation' }),
      ...(random.chance(0.5) && { inChannel: 'channel' }),
    }));
    units = 0;
    for (const item of items) await table.write(putNew({ ...item, pk: 'ones' }));
    const alone = units;
    units = 0;
    asked = [];
    await writeAll(items.map((item) => putNew({ ...item, pk: 'others' })));
    expect(asked).toEqual(['PutItem', 'PutItem', 'TransactWriteItems']);
    expect({ items, units }).toEqual({ items, units: alone });
  }
});

test('an update of a large topic takes what it takes alone, whatever goes with it', async () => {
  const large = 'x'.repeat(3_000);
  for (const name of ['one', 'other'])
    await table.write({ kind: 'update', key: keys.topic(7, name), set: { large } });
  units = 0;
  await table.write(topic('one', 1));
  const alone = units;
  units = 0;
  await writeAll([
    putNew({ pk: 'beside', sk: 'a' }),
    putNew({ pk: 'beside', sk: 'b' }),
    putNew({ pk: 'beside', sk: 'c', inChannel: 'channel' }),
    topic('other', 1),
  ]);
  expect(asked.slice(-3)).toEqual(['PutItem', 'PutItem', 'TransactWriteItems']);
  expect(alone).toBe(3);
  expect(units).toBe(1 + 1 + 2 + alone);
});

describe('of a group', () => {
  const writes = (count: number): OneWrite[] =>
    Array.from({ length: count }, (_, n) => ({
      kind: 'Put',
      item: String(n),
      parameters: `{"n":${n}}`,
      units: 1,
      indexes: 0,
    }));

  test('all get the same failure when the engine gives no answer', async () => {
    const noAnswer = Object.assign(new Error('no answer'), { code: 'ECONNRESET' });
    const operations: string[] = [];
    const groups = new WriteGroups(async (operation) => {
      operations.push(operation);
      if (operation === 'TransactWriteItems') throw noAnswer;
      return {};
    });
    const outcomes = await Promise.allSettled(writes(4).map((write) => groups.write(write)));
    expect(operations).toEqual(['PutItem', 'PutItem', 'TransactWriteItems']);
    expect(outcomes.slice(2)).toEqual(Array(2).fill({ status: 'rejected', reason: noAnswer }));
  });

  test('no write is under way while another of its item is', async () => {
    const underWay = new Set<string>();
    const groups = new WriteGroups(async (_operation, parameters) => {
      expect(underWay).not.toContain(parameters);
      underWay.add(parameters);
      await setImmediate();
      underWay.delete(parameters);
      return {};
    });
    const [write] = writes(1) as [OneWrite];
    await Promise.all(Array.from({ length: 5 }, () => groups.write(write)));
  });

  test('there are at most a hundred, and the others are the next group', async () => {
    const counts: number[] = [];
    const groups = new WriteGroups(async (operation, parameters) => {
      const count = operation === 'PutItem' ? 1 : JSON.parse(parameters).TransactItems.length;
      counts.push(count);
      return { ConsumedCapacity: [{ CapacityUnits: 2 * count }] };
    });
    await Promise.all(writes(251).map((write) => groups.write(write)));
    expect(counts).toEqual([1, 1, 100, 100, 49]);
  });

  test('a write that would make it too long waits for the next', async () => {
    const counts: number[] = [];
    const groups = new WriteGroups(async (operation, parameters) => {
      counts.push(operation === 'PutItem' ? 1 : JSON.parse(parameters).TransactItems.length);
      return { ConsumedCapacity: [{ CapacityUnits: 2 }] };
    });
    const text = 'x'.repeat(390_000);
    const large = writes(6).map((write) => ({ ...write, parameters: JSON.stringify({ text }) }));
    await Promise.all(large.map((write) => groups.write(write)));
    expect(counts).toEqual([1, 1, 2, 2]);
  });

  test.each([
    [500_000, 500_000, [1, 1, 2, 2]],
    [500_000, 500_001, [1, 1, 1, 1, 1, 1]],
    [1_000_001, 1_000_001, [1, 1, 1, 1, 1, 1]],
  ])(
    'there are a million characters at most, unless one has more: of %i and %i',
    async (one, other, expected) => {
      const counts: number[] = [];
      const groups = new WriteGroups(async (operation, parameters) => {
        counts.push(operation === 'PutItem' ? 1 : JSON.parse(parameters).TransactItems.length);
        return { ConsumedCapacity: [{ CapacityUnits: 2 }] };
      });
      const large = writes(6).map((write, n) => {
        const text = 'x'.repeat((n % 2 === 0 ? one : other) - '{"text":""}'.length);
        return { ...write, parameters: JSON.stringify({ text }) };
      });
      await Promise.all(large.map((write) => groups.write(write)));
      expect(counts).toEqual(expected);
    },
  );
});
