import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { logKeys, logPartitions, positionSortKey } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import {
  type CapacityMeter,
  ConditionFailed,
  type Item,
  type Table,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';

let used = { read: 0, write: 0 };
let table: Table;
let open: OpenTable;

/** Opens an empty table. */
export type OpenTable = (meter: CapacityMeter) => Promise<Table>;

const meter: CapacityMeter = ({ read, write }) => {
  used = { read: used.read + read, write: used.write + write };
};

/** Each group of rules has a table of its own. */
function describeTable(rule: string, tests: () => void): void {
  describe(rule, () => {
    beforeAll(async () => {
      table = await open(meter);
    });
    tests();
  });
}

const put = (item: Item, condition?: Write['condition']): Promise<void> =>
  table.write({
    kind: 'put',
    item: item as Item & { pk: string; sk: string },
    ...(condition && { condition }),
  });

async function failureOf(act: Promise<unknown>): Promise<unknown> {
  try {
    await act;
  } catch (failure) {
    return failure;
  }
  return undefined;
}

/** The rules that every table keeps, whatever it is stored in. */
export function describeContract(engine: string, openTable: OpenTable): void {
  describe(engine, () => {
    beforeAll(() => {
      open = openTable;
    });
    describeRules();
  });
}

function describeRules(): void {
  describeTable('A conditional write', () => {
    test('Happens if its condition holds, and returns the conflicting item otherwise', async () => {
      const key = userKeys.user(1);
      await put({ ...key, name: 'Ada' }, { exists: false });
      const failure = await failureOf(put({ ...key, name: 'Bo' }, { exists: false }));
      expect(failure).toBeInstanceOf(ConditionFailed);
      expect((failure as ConditionFailed).existing).toMatchObject({ name: 'Ada' });
      expect(await table.find(key)).toMatchObject({ name: 'Ada' });
    });

    test.each<[string, Write['condition'], boolean]>([
      ['equals the stored value', { equals: { n: 5 } }, true],
      ['equals something else', { equals: { n: 6 } }, false],
      ['equals a list', { equals: { list: [[1, null]] } }, true],
      ['equals another list', { equals: { list: [[1, 2]] } }, false],
      ['differs from the stored value', { differs: { n: 5 } }, false],
      ['differs from something else', { differs: { n: 6 } }, true],
      ['differs from an attribute that is absent', { differs: { other: 1 } }, true],
      ['is below', { belowOrAbsent: { n: 6 } }, true],
      ['is not below', { belowOrAbsent: { n: 5 } }, false],
      ['is absent', { belowOrAbsent: { other: 1 } }, true],
      ['is above', { above: { n: 4 } }, true],
      ['is not above', { above: { n: 5 } }, false],
      ['all parts hold', { exists: true, equals: { n: 5 }, above: { n: 4 } }, true],
      ['one part of several does not hold', { exists: true, equals: { n: 5 }, above: { n: 5 } }, false],
    ])('Depends on the stored item: %s', async (_title, condition, happens) => {
      const key = userKeys.user(2);
      await put({ ...key, n: 5, list: [[1, null]] });
      const failure = await failureOf(
        table.write({ kind: 'update', key, set: { seen: true }, condition: condition ?? {} }),
      );
      expect(failure === undefined).toBe(happens);
      expect((await table.find(key))?.seen).toBe(happens ? true : undefined);
    });
  });

  describeTable('A scan of the keys', () => {
    test('Finds every item once, page by page, and nothing but its key', async () => {
      const written = Array.from({ length: 30 }, (_, index) => userKeys.user(index));
      // More than a page of 1 MB.
      for (const key of written) await put({ ...key, text: 'x'.repeat(100_000) });
      const found: string[] = [];
      let pages = 0;
      let after: Key | undefined;
      do {
        const page = await table.scanKeys(after);
        for (const key of page.keys) expect(Object.keys(key).sort()).toEqual(['pk', 'sk']);
        found.push(...page.keys.map(({ sk }) => sk));
        after = page.next;
        pages++;
      } while (after);
      expect(found.sort()).toEqual(written.map(({ sk }) => sk));
      expect(pages).toBeGreaterThan(2);
    });
  });

  describeTable('An update', () => {
    test('Sets, removes, adds to numbers and removes members from sets, and creates a missing item', async () => {
      const key = channelKeys.subscribers(1, 0);
      await table.write({
        kind: 'update',
        key,
        set: { a: 1, b: 2 },
        add: { count: 3, ids: new Set([1, 2]) },
      });
      await table.write({
        kind: 'update',
        key,
        remove: ['a'],
        add: { count: -1 },
        take: { ids: new Set([2]) },
      });
      const { pk: _pk, sk: _sk, ...rest } = (await table.find(key)) ?? {};
      expect(rest).toEqual({ b: 2, count: 2, ids: new Set([1]) });
    });

    test('Leaves out undefined values', async () => {
      const key = userKeys.user(3);
      await table.write({ kind: 'update', key, set: { a: undefined, b: 1 } });
      expect(await table.find(key)).toEqual({ ...key, b: 1 });
    });

    test('Counts one by one, however many count at once', async () => {
      const drawn = await Promise.all(
        Array.from({ length: 30 }, () => table.increment(organizationKeys.counter('user'), 'id')),
      );
      expect(drawn.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    });
  });

  describeTable('A transaction', () => {
    test('Does all its writes, or none and names the failed ones', async () => {
      const [first, second] = [userKeys.user(10), userKeys.user(11)];
      await put({ ...second, name: 'there' });
      const writes: Write[] = [
        { kind: 'put', item: { ...first, name: 'new' } },
        { kind: 'check', key: userKeys.user(12), condition: { exists: false } },
        { kind: 'put', item: { ...second, name: 'new' }, condition: { exists: false } },
      ];
      const failure = await failureOf(table.transact(writes, randomUUID()));
      expect(failure).toBeInstanceOf(TransactionCanceled);
      const { failed, isConflict } = failure as TransactionCanceled;
      expect(isConflict).toBe(false);
      expect(failed).toEqual([{ index: 2, existing: { ...second, name: 'there' } }]);
      expect(await table.find(first)).toBeUndefined();

      await table.transact(
        [
          { kind: 'put', item: { ...first, name: 'new' } },
          { kind: 'delete', key: second },
        ],
        randomUUID(),
      );
      expect(await table.find(first)).toMatchObject({ name: 'new' });
      expect(await table.find(second)).toBeUndefined();
    });

    test('Happens once if it is sent again under its token', async () => {
      const key = userKeys.user(13);
      const token = randomUUID();
      const writes: Write[] = [{ kind: 'update', key, add: { n: 1 } }];
      await table.transact(writes, token);
      await table.transact(writes, token);
      expect((await table.find(key))?.n).toBe(1);
    });
  });

  describeTable('A query', () => {
    const block = logPartitions.block(77);
    const at = (position: number, extra: Item = {}) => ({
      pk: block,
      sk: positionSortKey(position),
      position,
      ...extra,
    });

    beforeAll(async () => {
      for (let position = 1; position <= 12; position++)
        await put(at(position, { inChannel: `C${position % 2}`, text: 'x'.repeat(150_000) }));
    });

    const positionsOf = (items: Item[]): number[] => items.map(({ position }) => Number(position));
    const from = positionSortKey(3);
    const to = positionSortKey(6);

    test('Returns the items within its bounds, in either direction', async () => {
      expect(positionsOf(await table.list({ partition: block, from, to }))).toEqual([3, 4, 5, 6]);
      expect(positionsOf(await table.list({ partition: block, from, to, backwards: true }))).toEqual([
        6, 5, 4, 3,
      ]);
      expect(positionsOf(await table.list({ partition: block, to, consistent: true }))).toEqual([
        1, 2, 3, 4, 5, 6,
      ]);
      expect(positionsOf(await table.list({ partition: block, from: positionSortKey(11) }))).toEqual([
        11, 12,
      ]);
      expect(
        positionsOf(await table.list({ partition: block, prefix: positionSortKey(1).slice(0, 9) })),
      ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    test('Lists beyond the megabyte of a page, and a page says that there is more', async () => {
      expect(positionsOf(await table.list({ partition: block }))).toHaveLength(12);
      const page = await table.page({ partition: block });
      expect(page.more).toBe(true);
      expect(page.items.length).toBeLessThan(12);
      expect((await table.page({ partition: block, limit: 2 })).items).toHaveLength(2);
      expect(await table.list({ partition: block, limit: 9 })).toHaveLength(9);
    });

    test('Reads an index by its own key', async () => {
      expect(positionsOf(await table.list({ index: 'byChannel', partition: 'C0' }))).toEqual([
        2, 4, 6, 8, 10, 12,
      ]);
    });

    test('Returns only the requested attributes, at the price of all', async () => {
      await put({ ...logKeys.entry(9_100), atMs: 5, events: ['a', 'b'] });
      await put({ ...logKeys.entry(9_101), events: ['c'] });
      const query = {
        partition: logPartitions.block(9),
        from: positionSortKey(9_100),
        to: positionSortKey(9_101),
      };
      used = { read: 0, write: 0 };
      const whole = await table.list(query);
      const { read } = used;
      expect(await table.list({ ...query, attributes: ['sk', 'atMs'] })).toEqual(
        whole.map(({ sk, atMs }) => ({ sk, ...(atMs !== undefined && { atMs }) })),
      );
      expect(used.read).toBe(2 * read);
    });

    test('Finds many items at once, without missing ones', async () => {
      const wanted = Array.from({ length: 130 }, (_, n) => userKeys.user(1_000 + n));
      for (const key of wanted.slice(0, 120)) await put({ ...key });
      expect(await table.findMany(wanted)).toHaveLength(120);
      expect(await table.findMany([])).toEqual([]);
    });
  });

  describeTable('The meter', () => {
    test('Counts the units that DynamoDB would charge', async () => {
      const key = userKeys.user(500);
      used = { read: 0, write: 0 };
      await put({ ...key, text: 'x'.repeat(1_500) });
      expect(used).toEqual({ read: 0, write: 2 });
      await table.find(key);
      expect(used.read).toBe(1);
      await table.find(key, { eventually: true });
      expect(used.read).toBe(1.5);
      await table.transact([{ kind: 'put', item: { ...key, text: 'short' } }], randomUUID());
      expect(used.write).toBe(2 + 4);
    });
  });

  describeTable('Simultaneous calls of one type', () => {
    test('Have each its own answer', async () => {
      const userIds = Array.from({ length: 30 }, (_, index) => 500 + index);
      await Promise.all(userIds.map((userId) => put({ ...userKeys.user(userId), userId })));
      const found = await Promise.all(userIds.map((userId) => table.find(userKeys.user(userId))));
      expect(found.map((item) => item?.userId)).toEqual(userIds);
    });
  });

  describeTable('An item', () => {
    test('Returns unchanged, whatever it holds and however large it is', async () => {
      const item: Item = {
        ...userKeys.user(600),
        texts: ['', 'é\u{1f600}"\\', { deep: [null, true, false, [], {}] }],
        numbers: [0, -1, 1.5, 1e-7, Number.MAX_SAFE_INTEGER],
        sets: { numbers: new Set([3, 1]), texts: new Set(['b', 'a']) },
        bytes: new Uint8Array([0, 255, 128]),
        plain: Object.assign(Object.create(null), { n: 1 }),
        long: 'é'.repeat(150_000),
      };
      await put(item);
      expect(await table.find(userKeys.user(600))).toEqual(item);
      expect(await failureOf(put(item, { exists: false }))).toMatchObject({ existing: item });
      const check: Write = { kind: 'check', key: userKeys.user(600), condition: { exists: false } };
      expect(await failureOf(table.transact([check], randomUUID()))).toMatchObject({
        failed: [{ index: 0, existing: item }],
      });
    });

    test.each<[string, unknown]>([
      ['a number that is none', Number.NaN],
      ['a number that it would change', 2 ** 60],
      ['an empty set', new Set()],
      ['an object of a class', new URL('http://localhost')],
    ])('Cannot have %s', async (_what, value) => {
      await expect(put({ ...userKeys.user(601), value })).rejects.toThrow();
      expect(await table.find(userKeys.user(601))).toBeUndefined();
    });
  });
}
