import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { keepReads } from '#infra/local/table/kept-reads.ts';
import { keepPolls } from '#infra/local/table/polls-in-memory.ts';
import { type CapacityMeter, DynamoTable } from '#shared/table/dynamo-table.ts';
import { keys, partitions, prefixes } from '#shared/table/keys.ts';
import { pollSlotsKey } from '#shared/table/poll-keys.ts';
import { ConditionFailed, type Table, Unreachable } from '#shared/table/table.ts';
import { engineEndpoint } from '#tests/harness/engine/engine-endpoint.ts';

const USER = 7;
const subscriptions = { partition: partitions.user(USER), prefix: prefixes.subscription, consistent: true };

/** What the engine was asked, and the units that the process counts. */
let asked: string[];
let units: { read: number; write: number };
let plain: DynamoTable;
let kept: Table;

/** A table that tells what it is asked. */
class AskedTable extends DynamoTable {
  override find(...asking: Parameters<Table['find']>) {
    asked.push('find');
    return super.find(...asking);
  }
  override list(...asking: Parameters<Table['list']>) {
    asked.push('list');
    return super.list(...asking);
  }
}

beforeEach(async () => {
  asked = [];
  units = { read: 0, write: 0 };
  const at = { endpoint: engineEndpoint(), tableName: `kept-${randomUUID()}`, region: LOCAL_REGION };
  await createTable(at);
  const meter = ({ read, write }: typeof units) => {
    units.read += read;
    units.write += write;
  };
  plain = new DynamoTable(at);
  kept = keepPolls(
    keepReads((counted) => new AskedTable({ ...at, meter: counted }), meter),
    meter,
  );
});

const colored = (channelId: number, color: string) => ({
  ...keys.subscription(USER, channelId),
  color,
  seen: new Set([1]),
  bits: new Uint8Array([1, 2]),
});

describe('what the process has read', () => {
  test('it is not asked again, and counts what it would have taken', async () => {
    await kept.write({ kind: 'put', item: { ...colored(1, 'red'), text: 'x'.repeat(5_000) } });
    const first = await kept.find(keys.subscription(USER, 1));
    expect(units.read).toBe(2);
    expect(await kept.find(keys.subscription(USER, 1), { eventually: true })).toEqual(first);
    expect(units.read).toBe(3);
    expect(await kept.find(keys.subscription(USER, 2))).toBeUndefined();
    expect(await kept.find(keys.subscription(USER, 2))).toBeUndefined();
    expect(units.read).toBe(5);
    expect(await kept.list(subscriptions)).toEqual(await kept.list(subscriptions));
    expect(asked).toEqual(['find', 'find', 'list']);
    expect(units.read).toBe(9);
  });

  test('it is asked anew after each write of its partition, whatever kind of write', async () => {
    const color = async () => (await kept.find(keys.subscription(USER, 1)))?.color;
    const colors = async () => (await kept.list(subscriptions)).map((item) => item.color);
    await kept.write({ kind: 'put', item: colored(1, 'red') });
    expect([await color(), await colors()]).toEqual(['red', ['red']]);
    await kept.write({ kind: 'update', key: keys.subscription(USER, 1), set: { color: 'blue' } });
    expect([await color(), await colors()]).toEqual(['blue', ['blue']]);
    await kept.transact([{ kind: 'put', item: colored(1, 'green') }], randomUUID());
    expect([await color(), await colors()]).toEqual(['green', ['green']]);
    await kept.increment(keys.subscription(USER, 1), 'count', 3);
    expect(await kept.find(keys.subscription(USER, 1))).toMatchObject({ count: 3 });
    await kept.write({ kind: 'delete', key: keys.subscription(USER, 1) });
    expect([await color(), await colors()]).toEqual([undefined, []]);
  });

  test('who changes an answer changes it for no other reader', async () => {
    await kept.write({ kind: 'put', item: colored(1, 'red') });
    const read = () => kept.find(keys.subscription(USER, 1));
    const untouched = await plain.find(keys.subscription(USER, 1));
    for (let n = 0; n < 2; n++) {
      const item = (await read()) as ReturnType<typeof colored>;
      item.color = 'blue';
      item.seen.add(2);
      item.bits[0] = 9;
    }
    expect(await read()).toEqual(untouched);
  });

  test('what all readers share is changed by none', async () => {
    const key = { pk: partitions.blockSummaries(), sk: '0000001' };
    await kept.write({ kind: 'put', item: { ...key, after: 0, rows: [{ count: 1 }], topics: { a: [1] } } });
    for (let n = 0; n < 2; n++) {
      const { rows, topics } = (await kept.find(key)) as unknown as { rows: object[]; topics: object };
      for (const part of [rows, rows[0], topics, Object.values(topics)[0]])
        expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test('a refused write leaves the process free to remember; one without an answer does not', async () => {
    const key = keys.subscription(USER, 1);
    await kept.write({ kind: 'put', item: colored(1, 'red') });
    const refused = kept.write({ kind: 'put', item: colored(1, 'blue'), condition: { exists: false } });
    await expect(refused).rejects.toBeInstanceOf(ConditionFailed);
    for (let n = 0; n < 3; n++) await kept.find(key);
    expect(asked).toHaveLength(1);
    const unanswered = keepReads(
      () => new UnansweredTable(),
      () => {},
    );
    await expect(unanswered.write({ kind: 'delete', key })).rejects.toBeInstanceOf(Unreachable);
    expect((await unanswered.find(key))?.asked).toBe(1);
    expect((await unanswered.find(key))?.asked).toBe(2);
  });

  test('no two readers share an answer while its partition is written, however much is forgotten meanwhile', async () => {
    const written = Promise.withResolvers<void>();
    const table = keepReads(
      (counted) => new HeldTable(written.promise, counted),
      () => {},
      0,
    );
    const key = keys.subscription(USER, 1);
    const writing = table.write({ kind: 'delete', key });
    await table.find(keys.subscription(USER + 1, 1));
    const [one, other] = await Promise.all([table.find(key), table.find(key)]);
    expect(one).not.toEqual(other);
    written.resolve();
    await writing;
  });
});

test('what was read first, and not again since, is forgotten first, once eight thousand units are kept', async () => {
  const units = new Map([
    ['a', 4_000],
    ['b', 4_000],
    ['c', 1],
  ]);
  const reads: string[] = [];
  const table = keepReads(
    (meter) => {
      const ask = (pk: string) => {
        reads.push(pk);
        meter({ read: units.get(pk) ?? 0, write: 0 });
        return { asked: reads.length };
      };
      return new (class extends UnansweredTable {
        override async find({ pk }: { pk: string } = { pk: '' }) {
          return ask(pk);
        }
        override async list({ partition }: { partition: string } = { partition: '' }) {
          return [ask(partition)];
        }
      })();
    },
    () => {},
  );
  const read = async (...partitions: string[]) => {
    for (const pk of partitions)
      await (pk === 'b' ? table.list({ partition: pk }) : table.find({ pk, sk: '' }));
  };
  await read('a', 'b', 'b', 'a');
  expect(reads).toEqual(['a', 'b']);
  await read('c', 'a', 'c');
  expect(reads).toEqual(['a', 'b', 'c']);
  await read('b');
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
});

test('polls that wait are kept in memory, with the conditions and units of the table', async () => {
  const key = pollSlotsKey({ kind: 'person', userId: USER });
  const slot = { queueId: 'q', untilMs: 1 };
  expect(await kept.find(key, { eventually: true })).toBeUndefined();
  await kept.write({ kind: 'update', key, set: { s0: slot }, condition: { absent: ['s0'] } });
  expect(await kept.find(key, { eventually: true })).toEqual({ ...key, s0: slot });
  const again = kept.write({ kind: 'update', key, set: { s0: {} }, condition: { absent: ['s0'] } });
  await expect(again).rejects.toMatchObject({ existing: { s0: slot } });
  const other = { ...slot, untilMs: 2 };
  await kept.write({ kind: 'update', key, set: { s0: other }, condition: { equals: { s0: slot } } });
  const stale = kept.write({ kind: 'update', key, set: { s0: slot }, condition: { equals: { s0: slot } } });
  await expect(stale).rejects.toMatchObject({ existing: { s0: other } });
  expect(units).toEqual({ read: 1, write: 4 });
  expect([await plain.find(key), asked]).toEqual([undefined, []]);
});

/** A table whose writes get no answer, and which counts what it is asked. */
class UnansweredTable extends DynamoTable {
  #asked = 0;
  constructor() {
    super({ endpoint: engineEndpoint(), tableName: 'none', region: LOCAL_REGION });
  }
  override async find() {
    return { asked: ++this.#asked };
  }
  override async write(): Promise<void> {
    throw new Unreachable(new Error('no answer'));
  }
}

/** A table whose writes wait, and which counts what it is asked. */
class HeldTable extends UnansweredTable {
  readonly #written: Promise<void>;
  readonly #meter: CapacityMeter;
  constructor(written: Promise<void>, meter: CapacityMeter) {
    super();
    this.#written = written;
    this.#meter = meter;
  }
  override async find() {
    this.#meter({ read: 1, write: 0 });
    return super.find();
  }
  override write(): Promise<void> {
    return this.#written;
  }
}
