import { describe, expect, test } from 'vitest';
import type { Aside } from '#infra/local/table/aside.ts';
import { countInMemory } from '#infra/local/table/log-counter.ts';
import { keepPolls } from '#infra/local/table/polls-in-memory.ts';
import { writeTopicsBehind } from '#infra/local/table/topics-behind.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Table, Unreachable, type Write } from '#shared/table/table.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';
import { Random } from '#tests/simulation/random.ts';
import { SlowTable } from './slow-table.ts';

const units = { read: 0, write: 0 };
const count = ({ read, write }: typeof units): void => {
  units.read += read;
  units.write += write;
};
/** What was counted since the last look. */
function counted() {
  const now = { ...units };
  Object.assign(units, { read: 0, write: 0 });
  return now;
}
const calm = (): SlowTable =>
  new SlowTable(
    new Random(1),
    () => {},
    () => true,
  );

const methodsOf = (table: Table): Table => ({
  find: (...asked) => table.find(...asked),
  findMany: (...asked) => table.findMany(...asked),
  page: (...asked) => table.page(...asked),
  list: (...asked) => table.list(...asked),
  write: (...asked) => table.write(...asked),
  increment: (...asked) => table.increment(...asked),
  transact: (...asked) => table.transact(...asked),
});

describe('which polls wait', () => {
  const polls: Key = { pk: 'POLLS#7', sk: 'POLLS' };
  const other: Key = { pk: 'USER#7', sk: 'POLLS' };
  const start = () => {
    const below = calm();
    return { below, table: keepPolls(below, count) };
  };

  test('which polls wait is kept by the process alone, and everything else by the table below', async () => {
    const { below, table } = start();
    for (const key of [polls, other]) await table.write({ kind: 'update', key, set: { waiting: ['a'] } });
    expect(await table.find(polls)).toEqual({ ...polls, waiting: ['a'] });
    expect(await table.find(other)).toEqual({ ...other, waiting: ['a'] });
    expect(await below.find(polls)).toBeUndefined();
    expect(await below.find(other)).toEqual({ ...other, waiting: ['a'] });
    await table.write({ kind: 'put', item: { ...polls, waiting: [] } });
    expect(await below.find(polls), 'only what an update says is kept').toEqual({ ...polls, waiting: [] });
  });

  test('an update of waiting polls leaves other attributes as they are, and nothing that was given or read changes what is kept', async () => {
    const { table } = start();
    const waiting = ['a'];
    await table.write({ kind: 'update', key: polls, set: { waiting, at: 1 } });
    waiting.push('b');
    await table.write({ kind: 'update', key: polls, set: { at: 2 } });
    const found = await table.find(polls);
    expect(found).toEqual({ ...polls, waiting: ['a'], at: 2 });
    Object.assign(found ?? {}, { at: 3 });
    expect(await table.find(polls)).toMatchObject({ at: 2 });
  });

  test('an update that expects other polls is refused with what there is', async () => {
    const { table } = start();
    const write = (set: object, condition: object) =>
      table.write({ kind: 'update', key: polls, set: { ...set }, condition });
    await write({ waiting: ['a'] }, { absent: ['waiting'] });
    const refused = write({ waiting: ['b'] }, { absent: ['waiting'] });
    await expect(refused).rejects.toBeInstanceOf(ConditionFailed);
    await expect(refused).rejects.toMatchObject({ existing: { ...polls, waiting: ['a'] } });
    await expect(write({ waiting: ['b'] }, { equals: { waiting: ['c'] } })).rejects.toThrow();
    expect(await table.find(polls)).toMatchObject({ waiting: ['a'] });
    await write({ waiting: ['b'] }, { equals: { waiting: ['a'] } });
    expect(await table.find(polls)).toMatchObject({ waiting: ['b'] });
  });

  test('reads and writes of waiting polls count about the units that the table would take', async () => {
    const { table } = start();
    counted();
    await table.find(polls);
    expect(counted(), 'nothing').toEqual({ read: 1, write: 0 });
    await table.write({ kind: 'update', key: polls, set: { waiting: 'a' } });
    expect(counted()).toEqual({ read: 0, write: 1 });
    await table.find(polls, { eventually: true });
    expect(counted()).toEqual({ read: 0.5, write: 0 });
    // Three quarters of some 8 000 characters.
    await table.write({ kind: 'update', key: polls, set: { waiting: 'a'.repeat(8_000) } });
    expect(counted()).toEqual({ read: 0, write: 6 });
    await table.find(polls);
    expect(counted()).toEqual({ read: 2, write: 0 });
  });

  test('a unit of waiting polls is a read of four kilobytes, or a write of one', async () => {
    const { table } = start();
    const characters = JSON.stringify({ ...polls, waiting: '' }).length;
    // Four characters are about three bytes.
    for (const [more, read, write] of [
      [0, 3, 12],
      [1, 4, 13],
    ] as const) {
      const waiting = 'a'.repeat((12 * 1_024 * 4) / 3 - characters + more);
      counted();
      await table.write({ kind: 'update', key: polls, set: { waiting } });
      await table.find(polls);
      expect(counted()).toEqual({ read, write });
    }
  });
});

describe('positions of the log from memory', () => {
  const LOG = keys.counter('log');
  const inTable = async (table: Table) => (await table.find(LOG))?.position;
  /** A process that counts; what it does aside counts nothing. */
  const start = (below: SlowTable): Table => {
    const aside: Aside = (act) => act();
    return countInMemory(below, count, aside);
  };

  test('positions are reserved sixteen at a time before they are taken', async () => {
    const below = calm();
    const table = start(below);
    expect(await table.find(LOG)).toBeUndefined();
    for (const position of [1, 2]) expect(await table.increment(LOG, 'position')).toBe(position);
    expect(await inTable(below)).toBe(16);
    expect(await table.increment(LOG, 'position', 14)).toBe(16);
    expect(await inTable(below)).toBe(16);
    expect(await table.increment(LOG, 'position')).toBe(17);
    expect(await inTable(below)).toBe(32);
    expect(await table.find(LOG)).toEqual({ ...LOG, position: 17 });
  });

  test('a table that fails when the counter is read first is asked again by the next caller', async () => {
    const below = calm();
    let failures = 1;
    const find: Table['find'] = async (...asked) => {
      if (failures-- > 0) throw new Unreachable(new Error('The engine is away'));
      return below.find(...asked);
    };
    const table = countInMemory({ ...methodsOf(below), find }, count, (act) => act());
    await expect(table.increment(LOG, 'position')).rejects.toThrow(Unreachable);
    expect(await table.increment(LOG, 'position')).toBe(1);
  });

  test('callers at once get each position once', async () => {
    const table = start(calm());
    const taken = await Promise.all(Array.from({ length: 40 }, () => table.increment(LOG, 'position')));
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  test('the next process fills what the last one reserved and did not take, and goes on behind it', async () => {
    const below = calm();
    const first = start(below);
    await first.increment(LOG, 'position', 3);
    await below.write({ kind: 'put', item: { ...keys.logEntry(3), events: 'kept' } });
    const next = start(below);
    expect(await next.increment(LOG, 'position')).toBe(17);
    expect(await below.find(keys.logEntry(3))).toMatchObject({ events: 'kept' });
    for (const position of [1, 4, 16])
      expect(await below.find(keys.logEntry(position)), `${position}`).toBeDefined();
    expect(await below.find(keys.logEntry(0))).toBeUndefined();
    expect(await below.find(keys.logEntry(17))).toBeUndefined();
  });

  test('a counter that is set goes on from there', async () => {
    const below = calm();
    const table = start(below);
    await table.increment(LOG, 'position');
    await table.write({ kind: 'update', key: LOG, set: { position: 100 } });
    expect(await table.find(LOG)).toEqual({ ...LOG, position: 100 });
    expect(await table.increment(LOG, 'position')).toBe(101);
    expect(await inTable(below)).toBe(112);
  });

  test('taking a position counts one write, and looking at it one read or half of one', async () => {
    const table = start(calm());
    await table.increment(LOG, 'position');
    counted();
    await table.increment(LOG, 'position');
    expect(counted()).toEqual({ read: 0, write: 1 });
    await table.find(LOG);
    expect(counted()).toEqual({ read: 1, write: 0 });
    await table.find(LOG, { eventually: true });
    expect(counted()).toEqual({ read: 0.5, write: 0 });
  });

  test('another counter stays in the table', async () => {
    const below = calm();
    const table = start(below);
    const channels = keys.counter('channel');
    expect(await table.increment(channels, 'position', 2)).toBe(2);
    expect(await inTable(below)).toBeUndefined();
    expect(await table.find(channels)).toMatchObject({ position: 2 });
  });
});

describe('the newest message of a topic', () => {
  test('is all that is written later: what says anything else about a topic is there with the answer', async () => {
    const below = calm();
    const table = writeTopicsBehind(below, count, (act) => act());
    const plain = newest(5);
    const others: Parameters<Table['write']>[0][] = [
      { ...plain, key: { ...key, sk: 'OTHER#kiln' } },
      { ...plain, set: { topic: 'kiln', maxMessageId: 5, resolved: true } },
      { ...plain, set: { maxMessageId: 5 } },
      { ...plain, condition: { belowOrAbsent: { maxMessageId: 4 } } },
      { ...plain, condition: {} },
      { ...plain, remove: ['resolved'] },
      { ...plain, add: { count: 1 } },
      { kind: 'put', item: { ...key, topic: 'kiln', maxMessageId: 5 } },
    ];
    for (const write of others) {
      await table.write({ kind: 'delete', key });
      await table.write(write);
      const written = write.kind === 'put' ? write.item : write.key;
      expect(below.history.find(written, below.version), JSON.stringify(write)).toBeDefined();
    }
    await table.write({ kind: 'delete', key });
    await table.write(plain);
    expect(below.history.find(key, below.version)).toBeUndefined();
    expect(await table.find(key)).toMatchObject({ maxMessageId: 5 });
  });

  const key = keys.topic(7, 'kiln');
  const newest = (maxMessageId: number): Extract<Write, { kind: 'update' }> => ({
    kind: 'update',
    key,
    set: { topic: 'kiln', maxMessageId },
    condition: { belowOrAbsent: { maxMessageId } },
  });

  test('is written after the answer; where that fails the log says so, and a later one is written', async () => {
    const below = calm();
    let failures = 1;
    const write: Table['write'] = async (given) => {
      if (failures-- > 0) throw new Error('The engine is away');
      await below.write(given);
    };
    const table = writeTopicsBehind({ ...methodsOf(below), write }, count, (act) => act());
    await table.write(newest(5));
    expect(await table.find(key)).toBeUndefined();
    expect(takeLogged()).toMatchObject([
      {
        level: 'warn',
        message: 'The newest message of a topic could not be recorded',
        reason: 'The engine is away',
      },
    ]);
    await table.write(newest(6));
    expect(await table.find(key)).toMatchObject({ topic: 'kiln', maxMessageId: 6 });
    expect(takeLogged()).toEqual([]);
  });
});
