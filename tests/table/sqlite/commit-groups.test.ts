import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { CommitGroups } from '#shared/table/sqlite/commit-groups.ts';
import { StorageFull, Unreachable } from '#shared/table/table.ts';

let database: DatabaseSync;
let groups: CommitGroups;
/** The syncs under way; each ends when the test says so. */
let syncs: PromiseWithResolvers<void>[];
let lost: Error[];
let undone: number;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE texts (partition TEXT, text TEXT)');
  syncs = [];
  lost = [];
  undone = 0;
  const sync = (): Promise<void> => {
    syncs.push(Promise.withResolvers());
    return syncs.at(-1)?.promise ?? Promise.resolve();
  };
  groups = new CommitGroups(database, {
    onBegin: () => undefined,
    sync,
    onUndone: () => undone++,
    onLost: (failure) => lost.push(failure),
  });
});

const write = (partition: string, text = 'text'): Promise<void> =>
  groups.write((touch) => {
    database.prepare('INSERT INTO texts VALUES (?, ?)').run(partition, text);
    touch(partition);
  });

const count = (): unknown => database.prepare('SELECT count(*) AS texts FROM texts').get()?.texts;

const stateOf = (promise: Promise<unknown> | undefined): Promise<string> =>
  Promise.race([(promise ?? Promise.resolve()).then(() => 'settled'), nextTurn('waiting')]);

describe('A write', () => {
  test('Completes when it is synced', async () => {
    const acknowledged = write('A');
    expect(await stateOf(acknowledged)).toBe('waiting');
    syncs[0]?.resolve();
    expect(await stateOf(acknowledged)).toBe('settled');
  });

  test('Shares its sync with the other writes of its turn', async () => {
    const all = Promise.all([write('A'), write('B'), write('C')]);
    await nextTurn();
    expect(syncs).toHaveLength(1);
    syncs[0]?.resolve();
    await all;
  });

  test('Shares the next sync with others that come while one is running', async () => {
    const first = write('A');
    await nextTurn();
    const others = Promise.all([write('B'), nextTurn().then(() => write('C'))]);
    await nextTurn();
    await nextTurn();
    expect(syncs).toHaveLength(1);
    syncs[0]?.resolve();
    await first;
    await nextTurn();
    expect(syncs).toHaveLength(2);
    syncs[1]?.resolve();
    await others;
  });

  test('Leaves the other writes of its turn alone if it is refused', async () => {
    const accepted = write('A');
    const refuse = () =>
      groups.write(() => {
        throw new RangeError('refused');
      });
    expect(refuse).toThrow(RangeError);
    await nextTurn();
    syncs[0]?.resolve();
    await accepted;
    expect(count()).toBe(1);
  });
});

describe('A read', () => {
  test('Waits for the sync of writes to its partition, and for no others', async () => {
    void write('A');
    expect(await stateOf(groups.pending(['A', 'B']))).toBe('waiting');
    expect(groups.pending(['B'])).toBeUndefined();
    const pending = groups.pending(['A']);
    syncs[0]?.resolve();
    await pending;
    await nextTurn();
    expect(groups.pending(['A'])).toBeUndefined();
  });
});

describe('A full disk', () => {
  const fill = (): void => {
    const { page_count } = database.prepare('PRAGMA page_count').get() ?? {};
    database.exec(`PRAGMA max_page_count = ${page_count}`);
  };

  test('Fails the writes of its turn with StorageFull, undoes them, and accepts writes once there is room', async () => {
    const small = write('A');
    fill();
    expect(() => write('B', 'x'.repeat(100_000))).toThrow(StorageFull);
    await expect(small).rejects.toThrow('The disk of the table is full');
    expect([count(), undone]).toEqual([0, 1]);
    database.exec('PRAGMA max_page_count = 1000000');
    const again = write('A');
    await nextTurn();
    syncs[0]?.resolve();
    await again;
    expect(count()).toBe(1);
  });

  test('Rejects reads that wait for the writes that it undid', async () => {
    const small = write('A');
    const pending = groups.pending(['A']);
    fill();
    expect(() => write('B', 'x'.repeat(100_000))).toThrow(StorageFull);
    await expect(pending).rejects.toThrow(StorageFull);
    await expect(small).rejects.toThrow(StorageFull);
    expect(groups.pending(['A'])).toBeUndefined();
  });
});

describe('A failed sync', () => {
  test('Causes one report, and fails everything from then on', async () => {
    const first = write('A');
    await nextTurn();
    const second = write('B');
    syncs[0]?.reject(new Error('The disk is gone'));
    await expect(first).rejects.toThrow(Unreachable);
    await expect(second).rejects.toThrow(Unreachable);
    expect(() => write('C')).toThrow(Unreachable);
    expect(() => groups.pending(['A'])).toThrow(Unreachable);
    expect(lost.map(({ message }) => message)).toEqual(['The disk is gone']);
  });
});

test('All writes are durable when the groups have settled', async () => {
  const first = write('A');
  await nextTurn();
  const second = write('B');
  const settled = groups.settle();
  syncs[0]?.resolve();
  await first;
  await nextTurn();
  syncs[1]?.resolve();
  await settled;
  expect(await stateOf(second)).toBe('settled');
});
