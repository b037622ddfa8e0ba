import { randomUUID } from 'node:crypto';
import type { IndexName } from '#shared/table/definition.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Condition, Item, Query, Write } from '#shared/table/table.ts';
import type { Random } from '#tests/simulation/random.ts';

type SingleWrite = Exclude<Write, { kind: 'check' }>;

/** One call of a table, as data. */
export type Call =
  | { verb: 'find'; key: Key; eventually: boolean }
  | { verb: 'findMany'; keys: Key[]; eventually: boolean }
  | { verb: 'page'; query: Query }
  | { verb: 'list'; query: Query }
  | { verb: 'write'; write: SingleWrite }
  | { verb: 'increment'; key: Key; by: number; set: Item }
  | { verb: 'transact'; writes: Write[]; token: string };

/**
 * Few keys, so that calls meet, and each sort key in one partition only, since an index has no order among equal ones.
 * The order of some is another in UTF-16.
 */
const KEYS: Key[] = [
  ...['A', 'A#1', 'A#10', 'A#2', 'B'].map((sk) => ({ pk: 'P#1', sk })),
  ...['B#1', 'C', '\u00e9', '\ufffd', '\u{1f600}'].map((sk) => ({ pk: 'P#2', sk })),
  ...['0000000001', '0000000002', '0000000010'].map((sk) => ({ pk: 'LOG#0000001', sk })),
];
const PARTITIONS = [...new Set(KEYS.map(({ pk }) => pk))];
const SORT_KEYS = KEYS.map(({ sk }) => sk);
const INVALID_KEYS: Key[] = [
  { pk: '', sk: 'A' },
  { pk: 'P#1', sk: '' },
  { pk: 'P#1', sk: 'x'.repeat(1_025) },
];
const CHANNELS = ['C1', 'C2'];
const INDEXES: IndexName[] = ['byConversation', 'byChannel', 'byDueTime'];
/** Around the limits of the units, and of a page. */
const TEXT_LENGTHS = [0, 1, 20, 900, 1_024, 3_000, 4_096, 8_200, 120_000, 380_000];
const SHORT_LENGTHS = TEXT_LENGTHS.slice(0, -2);
const NUMBERS = [0, 1, -1, 5, 10, 100, 1.5, -0.25, 0.1, 1e-7, 123_456_789, Number.MAX_SAFE_INTEGER];
/** To which others may be added exactly. */
const COUNTS = NUMBERS.slice(0, -1);
/** Calls that a table refuses. */
const UNSUPPORTED = [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, new Set<number>(), new Date(0)];
const INVALID_INDEX_KEYS = [{ inChannel: '' }, { inChannel: 5 }, { due: 'DUE', dueAtSeconds: 'soon' }];
const ATTRIBUTES = ['a', 'b', 'n', 'ids'];

/** Draws calls that a service could make, and some that it could not. */
export class RandomCalls {
  readonly #random: Random;
  /** DynamoDB remembers tokens. */
  readonly #run: string;
  #tokens = 0;
  #dueAtSeconds = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#run = randomUUID().slice(0, 13);
  }

  next(): Call {
    const random = this.#random;
    const share = random.fraction();
    if (share < 0.12) return { verb: 'find', key: this.#key(), eventually: random.chance(0.5) };
    if (share < 0.2) return { verb: 'findMany', keys: this.#keys(), eventually: random.chance(0.5) };
    if (share < 0.4) return { verb: random.chance(0.5) ? 'page' : 'list', query: this.#query() };
    if (share < 0.48) return this.#increment();
    if (share < 0.7) return { verb: 'transact', writes: this.#writes(), token: this.#token() };
    if (share < 0.73) return this.#invalid();
    return { verb: 'write', write: this.#singleWrite(this.#key()) };
  }

  #key(): Key {
    return this.#random.pick(KEYS);
  }

  #keys(): Key[] {
    const keys = Array.from({ length: this.#random.between(0, 4) }, () => this.#key());
    return [...new Set(keys)];
  }

  /** Most have a token of their own. */
  #token(): string {
    return `${this.#run}-${this.#random.chance(0.1) ? this.#tokens : ++this.#tokens}`;
  }

  #increment(): Call {
    const random = this.#random;
    const by = random.pick([1, 1, 5, -2, 0.1]);
    return { verb: 'increment', key: this.#key(), by, set: random.chance(0.3) ? this.#attributes() : {} };
  }

  #writes(): Write[] {
    const count = this.#random.between(1, 4);
    const keys = Array.from({ length: count }, () => this.#key());
    const others = keys.filter((key, at) => !keys.slice(0, at).includes(key));
    return others.map((key) =>
      this.#random.chance(0.25)
        ? { kind: 'check', key, condition: this.#condition() }
        : this.#singleWrite(key),
    );
  }

  /** Calls that DynamoDB rejects, whatever it holds. */
  #invalid(): Call {
    const key = this.#key();
    const remove: SingleWrite = { kind: 'delete', key };
    const item = { ...key, a: 1 };
    return this.#random.pick<Call>([
      { verb: 'write', write: { kind: 'put', item: { ...key, ...this.#random.pick(INVALID_INDEX_KEYS) } } },
      {
        verb: 'write',
        write: { kind: 'put', item: { ...item, b: this.#random.pick<unknown>(UNSUPPORTED) } },
      },
      { verb: 'write', write: { kind: 'put', item: { ...item, b: 'x'.repeat(400 * 1_024) } } },
      { verb: 'write', write: { kind: 'update', key, set: { a: undefined } } },
      { verb: 'write', write: { kind: 'update', key, set: { sk: 'B' } } },
      { verb: 'write', write: { kind: 'update', key, set: { n: 1 }, add: { n: 1 } } },
      { verb: 'write', write: { ...remove, condition: {} } },
      { verb: 'transact', writes: [], token: this.#token() },
      { verb: 'transact', writes: [remove, { kind: 'put', item }], token: this.#token() },
      { verb: 'transact', writes: Array.from({ length: 101 }, () => remove), token: this.#token() },
      { verb: 'findMany', keys: [key, key], eventually: false },
      { verb: 'list', query: { partition: key.pk, from: 'B', to: 'A' } },
      ...INVALID_KEYS.map((invalid): Call => ({ verb: 'find', key: invalid, eventually: false })),
      ...INVALID_KEYS.map((invalid): Call => ({ verb: 'increment', key: invalid, by: 1, set: {} })),
    ]);
  }

  #singleWrite(key: Key): SingleWrite {
    const random = this.#random;
    const condition = random.chance(0.5) ? { condition: this.#condition() } : {};
    const share = random.fraction();
    if (share < 0.2) return { kind: 'delete', key, ...condition };
    if (share < 0.5) return { kind: 'put', item: { ...this.#attributes(), ...key }, ...condition };
    return { kind: 'update', key, ...this.#changes(), ...condition };
  }

  /** Each attribute is changed once at most, and one at least. */
  #changes() {
    const random = this.#random;
    const { n: _n, ids: _ids, ...set } = this.#attributes();
    return {
      set: random.chance(0.5) ? { ...set, n: random.pick(COUNTS) } : { ...set, ids: this.#ids() },
      ...(random.chance(0.3) && { remove: ['c'] }),
      ...(random.chance(0.5) && { set, ...this.#otherChange() }),
    };
  }

  #otherChange() {
    const random = this.#random;
    if (random.chance(0.3)) return { set: {}, remove: [random.pick([...ATTRIBUTES, 'inChannel', 'due'])] };
    return random.chance(0.3) ? { take: { ids: this.#ids() } } : { add: this.#added() };
  }

  #added(): Record<string, number | Set<number>> {
    const random = this.#random;
    return random.chance(0.5) ? { n: random.pick([1, -1, 0.2]) } : { ids: this.#ids() };
  }

  #ids(): Set<number> {
    return new Set(Array.from({ length: this.#random.between(1, 3) }, () => this.#random.between(1, 4)));
  }

  #attributes(): Item {
    const random = this.#random;
    const item: Item = {};
    if (random.chance(0.6)) item.a = this.#value(0);
    if (random.chance(0.3)) item.b = this.#value(0);
    if (random.chance(0.4)) item.n = random.pick(COUNTS);
    if (random.chance(0.2)) item.ids = this.#ids();
    if (random.chance(0.3)) item.inChannel = random.pick(CHANNELS);
    if (random.chance(0.15)) item.inConversation = random.pick(CHANNELS);
    if (random.chance(0.2)) Object.assign(item, { due: 'DUE', dueAtSeconds: ++this.#dueAtSeconds });
    return item;
  }

  #value(depth: number): unknown {
    const random = this.#random;
    const kind = random.between(0, depth < 3 ? 8 : 5);
    if (kind === 0) return random.pick(NUMBERS);
    if (kind === 1) return random.chance(0.5);
    if (kind === 2) return null;
    if (kind === 3) return random.pick(['', 'é\u{1f600}"\\\n', 'text']);
    if (kind === 4) return 'x'.repeat(random.pick(depth === 0 ? TEXT_LENGTHS : SHORT_LENGTHS));
    if (kind === 5) return this.#bytesOrSet();
    const values = Array.from({ length: random.between(0, 3) }, () => this.#value(depth + 1));
    if (kind === 6) return random.chance(0.1) ? [...values, undefined] : values;
    return Object.fromEntries(values.map((value, at) => [`part ${at}`, value]));
  }

  #bytesOrSet(): unknown {
    const random = this.#random;
    if (random.chance(0.4)) return Uint8Array.from([0, 255, random.between(0, 255)]);
    return random.chance(0.5) ? this.#ids() : new Set(['x', 'é', '']).add('x'.repeat(random.between(1, 3)));
  }

  #condition(): Condition {
    const random = this.#random;
    if (random.chance(0.3)) return { exists: random.chance(0.5) };
    const name = random.pick(ATTRIBUTES);
    const value =
      name === 'ids' ? this.#ids() : random.pick([...NUMBERS.slice(0, 6), 'text', '', null, true]);
    const number = random.pick(NUMBERS);
    return random.pick<Condition>([
      { equals: { [name]: value } },
      { differs: { [name]: value } },
      { belowOrAbsent: { [name]: random.chance(0.8) ? number : 'text' } },
      { above: { [name]: number } },
      { absent: [name] },
      { exists: true, equals: { [name]: value }, absent: ['b'] },
    ]);
  }

  #query(): Query {
    const random = this.#random;
    const index = random.chance(0.5) ? random.pick(INDEXES) : undefined;
    const partition =
      index === undefined ? random.pick(PARTITIONS) : index === 'byDueTime' ? 'DUE' : random.pick(CHANNELS);
    return {
      ...(index && { index }),
      partition,
      ...this.#bounds(index),
      ...(random.chance(0.3) && { backwards: true }),
      ...(random.chance(0.4) && { limit: random.between(1, 4) }),
      ...(!index && random.chance(0.4) && { consistent: true }),
      ...(random.chance(0.2) && { attributes: ['sk', random.pick(ATTRIBUTES)] }),
    };
  }

  #bounds(index: IndexName | undefined): Partial<Query> {
    const random = this.#random;
    if (index !== 'byDueTime' && random.chance(0.25))
      return { prefix: random.pick(['A', 'A#', 'A#1', 'é', '0']) };
    const draw = () =>
      index === 'byDueTime' ? random.between(1, this.#dueAtSeconds + 1) : random.pick(SORT_KEYS);
    return { ...(random.chance(0.4) && { from: draw() }), ...(random.chance(0.4) && { to: draw() }) };
  }
}
