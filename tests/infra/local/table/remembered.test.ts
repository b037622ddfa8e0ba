import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { rememberTable } from '#infra/local/table/open-table.ts';
import { type Key, keys, partitions, prefixes } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  type Page,
  type Query,
  type Table,
  TransactionCanceled,
  Unreachable,
  type Write,
} from '#shared/table/table.ts';
import { Random } from '#tests/simulation/random.ts';
import { SlowTable, unitsOf } from './slow-table.ts';

const RUNS = 100;
const WORKERS = 6;
const CALLS = 25;
const USER = 7;
const CHANNEL = 1;
/** So few that most of what was read is forgotten soon. */
const FEW_UNITS = 12;

/** A remembered table, the table that it remembers, and what was acknowledged. */
class Scene {
  readonly random: Random;
  readonly plain: SlowTable;
  readonly table: Table;
  /** Units that were counted, and those of the answers. */
  counted = 0;
  answered = 0;
  /** By topic, the newest message that was acknowledged. */
  readonly newest = new Map<string, number>();
  readonly positions: number[] = [];

  constructor(seed: number, mostUnits?: number) {
    this.random = new Random(seed);
    const isSafe = ({ pk, sk }: Key) => pk.startsWith('COUNTER') || sk.startsWith(prefixes.topic);
    let plain: SlowTable | undefined;
    this.table = rememberTable(
      (meter) => {
        plain = new SlowTable(this.random.fork('table'), meter, isSafe);
        return plain;
      },
      ({ read }) => {
        this.counted += read;
      },
      mostUnits,
    );
    if (!plain) throw new Error('There is no table');
    this.plain = plain;
  }

  key(): Key {
    const n = this.random.between(1, 3);
    return this.random.pick([
      keys.subscription(USER, n),
      keys.subscription(USER + 1, n),
      keys.mutedUsers(USER),
      keys.blockSummary(n),
    ]);
  }

  topic(): Key {
    return keys.topic(CHANNEL, `topic ${this.random.between(1, 3)}`);
  }

  item(key: Key): Item & Key {
    const n = this.random.between(0, 3);
    const isShared = key.pk === partitions.blockSummaries();
    const parts = isShared ? {} : { ids: new Set([n]), bits: new Uint8Array([n]) };
    return { ...key, n, list: [n, { n }], ...parts };
  }

  query(): Query {
    const { random } = this;
    const [partition, prefix] = random.pick([
      [partitions.user(USER), prefixes.subscription],
      [partitions.user(USER), undefined],
      [partitions.user(USER + 1), prefixes.subscription],
      [partitions.blockSummaries(), undefined],
      [partitions.channel(CHANNEL), prefixes.topic],
      [partitions.logBlock(0), undefined],
    ] as const);
    return {
      partition,
      ...(prefix !== undefined && { prefix }),
      ...(random.chance(0.3) && { limit: random.between(1, 3) }),
      ...(random.chance(0.3) && { backwards: true }),
      ...(random.chance(0.5) && { consistent: true }),
      ...(random.chance(0.2) && { attributes: ['pk', 'sk', 'n'] }),
    };
  }
}

/** A reader changes what it got, which changes it for no other; only what all readers share cannot be changed. */
function spoil(item: Item | undefined): void {
  if (!item || Object.isFrozen(item)) return;
  (item.list as unknown[] | undefined)?.push('spoiled');
  (item.ids as Set<unknown> | undefined)?.add('spoiled');
  (item.bits as Uint8Array | undefined)?.fill(99);
  item.n = 'spoiled';
}

/** Reads, and compares the answer with all that the table was meanwhile. */
async function read<Answer>(
  { plain }: Scene,
  act: () => Promise<Answer>,
  asOf: (version: number) => Answer,
): Promise<Answer> {
  const begun = plain.version;
  const answer = await act();
  for (let version = begun; version < plain.version; version++)
    if (isDeepStrictEqual(answer, asOf(version))) return answer;
  expect(answer, `what the table is since version ${begun}`).toEqual(asOf(plain.version));
  return answer;
}

async function findOne(scene: Scene): Promise<void> {
  const key = scene.random.chance(0.2) ? scene.topic() : scene.key();
  const eventually = scene.random.chance(0.3);
  const acknowledged = scene.newest.get(key.sk) ?? 0;
  const item = await read(
    scene,
    () => scene.table.find(key, { eventually }),
    (version) => scene.plain.history.find(key, version),
  );
  scene.answered += unitsOf(item ? 1 : 0, eventually);
  if (acknowledged > 0) expect(Number(item?.maxMessageId)).toBeGreaterThanOrEqual(acknowledged);
  spoil(item);
}

async function findSome(scene: Scene): Promise<void> {
  const wanted = [scene.key(), scene.topic()];
  const acknowledged = scene.newest.get(wanted[1]?.sk ?? '') ?? 0;
  const items = await read(
    scene,
    () => scene.table.findMany(wanted),
    (version) =>
      wanted.map((key) => scene.plain.history.find(key, version)).filter((item) => item !== undefined),
  );
  scene.answered += unitsOf(items.length);
  if (acknowledged > 0) expect(Number(items.at(-1)?.maxMessageId)).toBeGreaterThanOrEqual(acknowledged);
  items.forEach(spoil);
}

async function query(scene: Scene): Promise<void> {
  const asked = scene.query();
  const { limit, ...all } = asked;
  const isPage = scene.random.chance(0.5);
  const acknowledged = asked.prefix === prefixes.topic && !asked.attributes ? [...scene.newest] : [];
  const answer = await read<Page | Item[]>(
    scene,
    () => (isPage ? scene.table.page(asked) : scene.table.list(asked)),
    (version) => {
      const found = scene.plain.history.list(all, () => version);
      const items = found.slice(0, limit);
      return isPage ? { items, more: items.length < found.length } : items;
    },
  );
  const items = Array.isArray(answer) ? answer : answer.items;
  scene.answered += unitsOf(items.length, !asked.consistent);
  const newestOf = new Map(items.map(({ sk, maxMessageId }) => [sk, Number(maxMessageId)]));
  if (limit === undefined)
    for (const [sk, newest] of acknowledged) expect(newestOf.get(sk)).toBeGreaterThanOrEqual(newest);
  items.forEach(spoil);
}

function write(scene: Scene): Write {
  const { random } = scene;
  const key = scene.key();
  const condition = random.pick([
    {},
    {},
    { exists: true },
    { exists: false },
    { equals: { n: random.between(0, 3) } },
  ]);
  return random.pick<Write>([
    { kind: 'put', item: scene.item(key), condition },
    { kind: 'update', key, set: { n: random.between(0, 3), color: 'red' }, condition },
    { kind: 'update', key, set: {}, remove: ['color'], add: { count: 1 }, condition },
    { kind: 'delete', key, condition },
  ]);
}

async function change(scene: Scene): Promise<void> {
  const { random, table } = scene;
  if (random.chance(0.2)) {
    await table.increment(scene.key(), 'count', random.between(1, 3));
    return;
  }
  const first = write(scene);
  const second = write(scene);
  const isOfOne = JSON.stringify(keyOf(first)) === JSON.stringify(keyOf(second));
  const acting =
    random.chance(0.6) || isOfOne
      ? table.write(first as Exclude<Write, { kind: 'check' }>)
      : table.transact([first, second], String(random.fraction()));
  await acting;
  if (first.kind === 'put') spoil(first.item);
}

const keyOf = (one: Write): Key => {
  const { pk, sk } = one.kind === 'put' ? one.item : one.key;
  return { pk, sk };
};

/** A message takes a position and its place in the log, and becomes the newest of its topic. */
async function send(scene: Scene): Promise<void> {
  const { table, newest, positions } = scene;
  const position = await table.increment(keys.counter('log'), 'position');
  positions.push(position);
  expect(
    Number(scene.plain.history.find(keys.counter('log'), scene.plain.version)?.position),
  ).toBeGreaterThanOrEqual(position);
  await table.write({
    kind: 'put',
    item: { ...keys.logEntry(position), n: position },
    condition: { exists: false },
  });
  const key = scene.topic();
  await table.write({
    kind: 'update',
    key,
    set: { topic: key.sk, maxMessageId: position },
    condition: { belowOrAbsent: { maxMessageId: position } },
  });
  newest.set(key.sk, Math.max(position, newest.get(key.sk) ?? 0));
  const counter = await table.find(keys.counter('log'));
  scene.answered += 1;
  expect(Number(counter?.position)).toBeGreaterThanOrEqual(position);
}

async function work(scene: Scene): Promise<void> {
  for (let n = 0; n < CALLS; n++) {
    const act = scene.random.pick([findOne, findOne, findSome, query, query, change, change, send]);
    await act(scene).catch((failure) => {
      const isExpected = [ConditionFailed, TransactionCanceled, Unreachable].some(
        (one) => failure instanceof one,
      );
      if (!isExpected) throw failure;
    });
    for (let pause = scene.random.between(0, 9); pause > 0; pause--) await null;
  }
}

async function runAll(seed: number, mostUnits?: number): Promise<void> {
  const scene = new Scene(seed, mostUnits);
  await Promise.all(Array.from({ length: WORKERS }, () => work(scene)));
  await scene.plain.calm();
  for (let n = 0; n < CALLS; n++) await scene.random.pick([findOne, query])(scene);
  expect(scene.counted, `units of run ${seed}`).toBe(scene.answered);
  expect(new Set(scene.positions).size).toBe(scene.positions.length);
  for (const [sk, newest] of scene.newest)
    expect(await scene.table.find({ pk: partitions.channel(CHANNEL), sk })).toMatchObject({
      maxMessageId: newest,
    });
}

test('however calls interleave and fail, each read finds what the table is while it lasts, at the cost of reading it', async () => {
  for (let seed = 1; seed <= RUNS; seed++) await runAll(seed);
});

test('the same is so where most of what was read is forgotten', async () => {
  for (let seed = 1; seed <= RUNS; seed++) await runAll(seed, seed % FEW_UNITS);
});

test('a process that takes over continues the log behind all reserved positions, of which none stays empty', async () => {
  const scene = new Scene(1);
  for (let n = 0; n < 3; n++) await send(scene);
  await scene.plain.calm();
  const next = rememberTable(
    () => scene.plain,
    () => {},
  );
  const position = await next.increment(keys.counter('log'), 'position');
  const { pk } = keys.logEntry(position);
  const filled = (await scene.plain.list({ partition: pk })).map(({ sk }) => Number(sk));
  expect(filled).toEqual(Array.from({ length: position - 1 }, (_, n) => n + 1));
  expect(position).toBeGreaterThan(Math.max(...scene.positions));
});
