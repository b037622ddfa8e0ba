import type { Key } from '#shared/table/keys.ts';
import type { Item, Query, Write } from '#shared/table/table.ts';

interface Version {
  atMs: number;
  /** undefined when the item was deleted. */
  item: Item | undefined;
}

/** Remembers what items were before, so that a read can answer with an older state. */
export class TableHistory {
  readonly #versions = new Map<string, Version[]>();

  record(writes: Write[], atMs: number): void {
    for (const write of writes) {
      if (write.kind === 'check') continue;
      const name = nameOf(write.kind === 'put' ? write.item : write.key);
      // What an update made of an item is not known here, so that it shows in every state.
      if (write.kind === 'update') this.#versions.delete(name);
      else this.#remember(name, { atMs, item: write.kind === 'put' ? write.item : undefined });
    }
  }

  /** The items that a query found, as they were at an earlier time. */
  asOf(query: Query, found: Item[], atMs: number): Item[] {
    const kept = found.flatMap((item): Item[] => {
      const versions = this.#versions.get(nameOf(item as unknown as Key));
      const older = versions ? versionAt(versions, atMs)?.item : item;
      return older ? [older] : [];
    });
    return query.index === 'byDueTime' ? [...kept, ...this.#deletedSince(query, found, atMs)] : kept;
  }

  #deletedSince(query: Query, found: Item[], atMs: number): Item[] {
    const present = new Set(found.map((item) => nameOf(item as unknown as Key)));
    return [...this.#versions].flatMap(([name, versions]) => {
      const item = versionAt(versions, atMs)?.item;
      const isDue =
        item?.due === query.partition && Number(item.dueAtSeconds) <= Number(query.to ?? Infinity);
      return item && isDue && !present.has(name) ? [item] : [];
    });
  }

  #remember(name: string, version: Version): void {
    const versions = this.#versions.get(name) ?? [];
    versions.push(version);
    this.#versions.set(name, versions);
  }
}

const nameOf = ({ pk, sk }: Key): string => `${pk}/${sk}`;

const versionAt = (versions: Version[], atMs: number): Version | undefined =>
  versions.findLast((version) => version.atMs <= atMs);
