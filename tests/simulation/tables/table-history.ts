import { type IndexName, tableDefinition } from '#shared/table/definition.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Item, Query, Write } from '#shared/table/table.ts';

interface Version {
  atMs: number;
  /** undefined when the item was deleted. */
  item: Item | undefined;
}

/** Every state of one item, the newest last. */
type Versions = Version[];

/** Remembers all that items ever were, so that a read can answer with an older state. */
export class TableHistory {
  readonly #versions = new Map<string, Versions>();
  /** The items that are or were in a partition of the table or of an index. */
  readonly #partitions = new Map<string, Set<Versions>>();

  /** Writes that took effect. */
  record(writes: Write[], atMs: number): void {
    for (const write of writes) {
      if (write.kind === 'check') continue;
      const key = write.kind === 'put' ? write.item : write.key;
      const versions = this.#versions.get(nameOf(key)) ?? [];
      this.#versions.set(nameOf(key), versions);
      const item = afterWrite(write, versions.at(-1)?.item);
      versions.push({ atMs, item });
      if (item) this.#place(item, versions);
    }
  }

  /** An item as it was at an earlier time. */
  find(key: Key, atMs: number): Item | undefined {
    return copyOf(versionAt(this.#versions.get(nameOf(key)) ?? [], atMs));
  }

  /** The items that have expired and are still there. */
  listExpired(nowMs: number): (Key & Item)[] {
    return [...this.#versions.values()].flatMap((versions) => {
      const item = versions.at(-1)?.item as (Key & Item) | undefined;
      return item && Number(item.expiresAtSeconds) * 1000 < nowMs ? [item] : [];
    });
  }

  /** When an item came into being; -Infinity if it never did. */
  beganAtMs({ pk, sk }: Key): number {
    return this.#versions.get(nameOf({ pk, sk }))?.[0]?.atMs ?? -Infinity;
  }

  /** The result of a query if each item is as of a time of its own. */
  list(query: Query, drawMs: () => number): Item[] {
    const { partitionKey, sortKey } = definitionOf(query);
    const place = placeOf(query.index, query.partition);
    const found = [...(this.#partitions.get(place) ?? [])].flatMap((versions) => {
      const item = versionAt(versions, drawMs());
      const isFound = item?.[partitionKey] === query.partition && isWithin(item[sortKey], query);
      return isFound ? [item] : [];
    });
    found.sort((a, b) => compare(a[sortKey], b[sortKey]) || compare(a.pk, b.pk) || compare(a.sk, b.sk));
    if (query.backwards) found.reverse();
    return found.slice(0, query.limit).map((item) => copyOf(partOf(item, query.attributes)));
  }

  /** A query for each partition of the table and of its indexes. */
  get collections(): Query[] {
    return [...this.#partitions.keys()].map((place) => {
      const [index, partition] = place.split(/\/(.*)/s) as [IndexName | '', string];
      return index === '' ? { partition, consistent: true } : { index, partition };
    });
  }

  #place(item: Item, versions: Versions): void {
    for (const { index, partitionKey } of places) {
      if (item[partitionKey] === undefined) continue;
      const place = placeOf(index, String(item[partitionKey]));
      const items = this.#partitions.get(place) ?? new Set();
      this.#partitions.set(place, items);
      items.add(versions);
    }
  }
}

const { partitionKey, sortKey, indexes } = tableDefinition;
const places = [
  { index: undefined, partitionKey, sortKey },
  ...indexes.map(({ name, ...keys }) => ({ index: name, ...keys })),
];

const definitionOf = (query: Query) =>
  places.find(({ index }) => index === query.index) ?? { partitionKey, sortKey };

const placeOf = (index: string | undefined, partition: string): string => `${index ?? ''}/${partition}`;

const nameOf = ({ pk, sk }: Key): string => `${pk}/${sk}`;

const partOf = (item: Item, attributes: string[] | undefined): Item =>
  attributes ? Object.fromEntries(attributes.map((name) => [name, item[name]])) : item;

const versionAt = (versions: Versions, atMs: number): Item | undefined =>
  versions.findLast((version) => version.atMs <= atMs)?.item;

const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
};

function isWithin(value: unknown, { from, to, prefix }: Query): boolean {
  if (prefix !== undefined) return String(value).startsWith(prefix);
  return (from === undefined || compare(value, from) >= 0) && (to === undefined || compare(value, to) <= 0);
}

/** The item after a write whose condition holds, as in DynamoDB. */
function afterWrite(write: Exclude<Write, { kind: 'check' }>, before: Item | undefined): Item | undefined {
  if (write.kind === 'delete') return undefined;
  if (write.kind === 'put') return copyOf(write.item);
  const { key, set, remove = [], add = {}, take = {} } = write;
  const item: Item = { ...(before ?? key), ...copyOf(set ?? {}) };
  for (const name of remove) delete item[name];
  for (const [name, value] of Object.entries(add)) {
    if (typeof value === 'number') item[name] = Number(item[name] ?? 0) + value;
    else item[name] = new Set([...setOf(item[name]), ...value]);
  }
  for (const [name, value] of Object.entries(take)) {
    const left = [...setOf(item[name])].filter((one) => !value.has(one));
    if (left.length > 0) item[name] = new Set(left);
    else delete item[name];
  }
  return item;
}

const setOf = (value: unknown): Set<number> => (value as Set<number> | undefined) ?? new Set<number>();

/** A deep copy without undefined values, which DynamoDB does not store. */
function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (value instanceof Set || value instanceof Uint8Array) return structuredClone(value);
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts.map(([name, part]) => [name, copyOf(part)])) as Value;
}
