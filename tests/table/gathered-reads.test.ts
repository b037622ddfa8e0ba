import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { gatherReads } from '#shared/table/gathered-reads.ts';
import { channelKeys, channelPrefixes } from '#shared/table/keys/channels.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys, userPartitions } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';

const USER = 7;
const partition = userPartitions.user(USER);
const range = { partition, from: 'SETTINGS', to: `${channelPrefixes.subscription}\uffff` };

let gathered: Table;
let used = { read: 0, calls: 0 };
const plain = await openTestTable(({ read }) => {
  used.read += read;
  used.calls += 1;
});
const items = [
  { ...userKeys.settings(USER), values: {} },
  { ...channelKeys.subscription(USER, 1), color: 'red' },
  { ...channelKeys.subscription(USER, 2), color: 'blue' },
  { ...userKeys.mutedUsers(USER), mutedUsers: [] },
  { ...channelKeys.subscription(8, 1), color: 'of another user' },
];
for (const item of items) await plain.write({ kind: 'put', item });
beforeEach(() => {
  gathered = gatherReads(plain, [range]);
  used = { read: 0, calls: 0 };
});

const subscriptions = { partition, prefix: channelPrefixes.subscription, consistent: true };

test('Items and prefixes within a range are read by one query, even if some are missing', async () => {
  const [settings, missing, list] = await Promise.all([
    gathered.find(userKeys.settings(USER)),
    gathered.find(channelKeys.subscription(USER, 99)),
    gathered.list(subscriptions),
    gathered.find(channelKeys.subscription(USER, 2)),
  ]);
  expect(settings).toMatchObject({ values: {} });
  expect(missing).toBeUndefined();
  expect(list.map(({ color }) => color)).toEqual(['red', 'blue']);
  expect(used).toEqual({ read: 1, calls: 1 });
});

test('Gathered reads return the same as separate ones', async () => {
  for (const key of [userKeys.settings(USER), userKeys.mutedUsers(USER), channelKeys.subscription(8, 1)])
    expect(await gathered.find(key)).toEqual(await plain.find(key));
  expect(await gathered.list(subscriptions)).toEqual(await plain.list(subscriptions));
});

test.each<[what: string, read: (table: Table) => Promise<unknown>]>([
  ['an item beyond the range', (table) => table.find(userKeys.mutedUsers(USER))],
  ['an item of another partition', (table) => table.find(channelKeys.subscription(8, 1))],
  ['an eventually consistent read', (table) => table.find(userKeys.settings(USER), { eventually: true })],
  ['an eventually consistent list', (table) => table.list({ ...subscriptions, consistent: false })],
  ['a list that is backwards', (table) => table.list({ ...subscriptions, backwards: true })],
  ['a list with a limit', (table) => table.list({ ...subscriptions, limit: 1 })],
  ['a list without a prefix', (table) => table.list({ partition, consistent: true })],
  ['a page', (table) => table.page(subscriptions)],
  ['several items', (table) => table.findMany([userKeys.settings(USER)])],
])('A read of its own: %s, with its own options', async (_what, read) => {
  await gathered.find(userKeys.settings(USER));
  const before = used.calls;
  const found = await read(gathered);
  expect(used.calls).toBe(before + 1);
  expect(found).toEqual(await read(plain));
});

test('Read items are not read again, and the next round sees later writes', async () => {
  await gathered.find(userKeys.settings(USER));
  await gathered.write({ kind: 'put', item: { ...userKeys.settings(USER), values: { x: 1 } } });
  expect(await gathered.find(userKeys.settings(USER))).toMatchObject({ values: {} });
  expect(await gatherReads(plain, [range]).find(userKeys.settings(USER))).toMatchObject({ values: { x: 1 } });
  expect(await gathered.increment(organizationKeys.counter('user'), 'id')).toBe(1);
  await gathered.transact([{ kind: 'delete', key: userKeys.settings(USER) }], randomUUID());
  expect(await plain.find(userKeys.settings(USER))).toBeUndefined();
});
