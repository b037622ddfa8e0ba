import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '#shared/table/keys/key.ts';
import type { SqliteTable } from '#shared/table/sqlite/sqlite-table.ts';
import type { Item } from '#shared/table/table.ts';
import type { RawItem, RawTable } from './raw-items.ts';

/** The items of a table in a file. */
export class FileItems implements RawTable {
  readonly #table: SqliteTable;

  constructor(table: SqliteTable) {
    this.#table = table;
  }

  async *scan(after?: RawItem): AsyncGenerator<{ items: RawItem[]; after: RawItem | undefined }> {
    for await (const page of this.#table.scan(after && keyOf(after)))
      yield { items: page.map(toRaw), after: rawKeyOf(page.at(-1)) };
  }

  async find(key: Key): Promise<RawItem | undefined> {
    const item = await this.#table.find(key);
    return item && toRaw(item);
  }

  /** All at once, so that they share a commit. */
  async put(items: RawItem[]): Promise<void> {
    const puts = items.map((item) =>
      this.#table.write({ kind: 'put', item: unmarshall(item) as Key & Item }),
    );
    await Promise.all(puts);
  }

  async remove(keys: RawItem[]): Promise<void> {
    await Promise.all(keys.map((key) => this.#table.write({ kind: 'delete', key: keyOf(key) })));
  }
}

const toRaw = (item: Item): RawItem => marshall(item);

const keyOf = ({ pk, sk }: RawItem): Key => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' });

const rawKeyOf = (key: Key | undefined): RawItem | undefined =>
  key && { pk: { S: key.pk }, sk: { S: key.sk } };
