import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Key } from '#shared/table/keys/key.ts';
import { tableDefinition } from '../definition.ts';
import type { Item, Query } from '../table.ts';
import { copyOf } from './copy-of.ts';
import { indexedAttributes } from './database.ts';
import { type PackedItem, unpackItem } from './packed-item.ts';
import { querySql } from './query-sql.ts';
import { RowCache } from './row-cache.ts';

/** An item of the file, with its size as DynamoDB counts it. It may be cached: who gives it away copies it. */
export interface Row {
  rowId: number;
  item: Item;
  bytes: number;
}

type Columns = [rowId: number, json: string, isTagged: number, bytes: number];

const { partitionKey, sortKey, timeToLiveAttribute } = tableDefinition;
const COLUMNS = 'rowid, json, isTagged, bytes';
const PACKED = ['json', 'isTagged', 'bytes'];
const ALL = [partitionKey, sortKey, ...PACKED, ...indexedAttributes];

const assignments = (names: string[]): string => names.map((name) => `${name} = ?`).join(', ');

/** The items of a database, read and written by statements that are compiled once. */
export class Rows {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #cache = new RowCache();
  #dataVersion: unknown;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Notices what another connection has written since the last call. */
  refresh(): void {
    const [version] = columnsOf<[unknown]>(this.#prepare('PRAGMA data_version').get());
    if (version !== this.#dataVersion) this.#cache.clear();
    this.#dataVersion = version;
  }

  /** Drops the cached reads, since writes were undone. */
  reset(): void {
    this.#cache.clear();
  }

  find({ pk, sk }: Key): Row | undefined {
    const name = nameOf(pk, sk);
    const cached = this.#cache.find(name);
    if (cached) return cached;
    const statement = this.#prepare(
      `SELECT ${COLUMNS} FROM items WHERE ${partitionKey} = ? AND ${sortKey} = ?`,
    );
    const columns = columnsOf<Columns | undefined>(statement.get(pk, sk));
    if (!columns) return undefined;
    const row = toRow(columns);
    this.#cache.keep(name, row);
    return row;
  }

  /** The rows of a query in its order, from after an item on. */
  *query(query: Query, after: Item | undefined): Generator<Row> {
    const { source, parameters } = querySql(query, after);
    const statement = this.#prepare(`SELECT ${COLUMNS} FROM ${source}`);
    for (const columns of statement.iterate(...parameters)) yield toRow(columnsOf(columns));
  }

  /** All items by their keys, from after one on. */
  *scan(after: Key | undefined): Generator<Row> {
    const statement = this.#prepare(
      `SELECT ${COLUMNS} FROM items WHERE (${partitionKey}, ${sortKey}) > (?, ?) ORDER BY ${partitionKey}, ${sortKey}`,
    );
    for (const columns of statement.iterate(after?.pk ?? '', after?.sk ?? ''))
      yield toRow(columnsOf(columns));
  }

  count(): number {
    const [items] = columnsOf<[number]>(this.#prepare('SELECT count(*) FROM items').get());
    return items;
  }

  /** Puts an item in the place of the one that the row holds, if there is one. */
  put(item: Item, { json, isTagged, bytes }: PackedItem, before: Row | undefined): void {
    const name = nameOf(String(item[partitionKey]), String(item[sortKey]));
    if (before && this.#cache.has(name))
      this.#cache.keep(name, { rowId: before.rowId, item: copyOf(item), bytes });
    const packed = [json, Number(isTagged), bytes];
    const indexed = indexedAttributes.map((name) => indexedValue(item[name]));
    if (!before)
      this.#run(`INSERT INTO items (${ALL.join(', ')}) VALUES (${ALL.map(() => '?').join(', ')})`, [
        item[partitionKey] as string,
        item[sortKey] as string,
        ...packed,
        ...indexed,
      ]);
    else if (indexedAttributes.every((name) => item[name] === before.item[name]))
      // Without the columns of the indexes, which SQLite then leaves alone.
      this.#run(`UPDATE items SET ${assignments(PACKED)} WHERE rowid = ?`, [...packed, before.rowId]);
    else
      this.#run(`UPDATE items SET ${assignments([...PACKED, ...indexedAttributes])} WHERE rowid = ?`, [
        ...packed,
        ...indexed,
        before.rowId,
      ]);
  }

  delete({ rowId, item }: Row): void {
    this.#cache.forget(nameOf(String(item[partitionKey]), String(item[sortKey])));
    this.#run('DELETE FROM items WHERE rowid = ?', [rowId]);
  }

  /** Deletes items whose time is over, and gives their partitions. */
  deleteExpired(nowSeconds: number, limit: number): string[] {
    const statement = this.#prepare(
      `DELETE FROM items WHERE rowid IN
         (SELECT rowid FROM items WHERE ${timeToLiveAttribute} < ? LIMIT ?)
       RETURNING ${partitionKey}, ${sortKey}`,
    );
    const rows = columnsOf<[string, string][]>(statement.all(nowSeconds, limit));
    for (const [pk, sk] of rows) this.#cache.forget(nameOf(pk, sk));
    return rows.map(([pk]) => pk);
  }

  /** The digest of the writes of a transaction with this token, if there was one since then. */
  findDigest(token: string, sinceMs: number): string | undefined {
    const statement = this.#prepare('SELECT digest FROM transactions WHERE token = ? AND atMs >= ?');
    return columnsOf<[string] | undefined>(statement.get(token, sinceMs))?.[0];
  }

  keepDigest(token: string, digest: string, atMs: number): void {
    this.#run('INSERT OR REPLACE INTO transactions (token, digest, atMs) VALUES (?, ?, ?)', [
      token,
      digest,
      atMs,
    ]);
  }

  forgetDigests(beforeMs: number): void {
    this.#run('DELETE FROM transactions WHERE atMs < ?', [beforeMs]);
  }

  #run(sql: string, parameters: SQLInputValue[]): void {
    this.#prepare(sql).run(...parameters);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const nameOf = (pk: string, sk: string): string => `${pk}\u0000${sk}`;

/** The result of a statement: `node:sqlite` returns arrays here, but its types know only objects. */
const columnsOf = <Result>(result: unknown): Result => result as Result;

const toRow = ([rowId, json, isTagged, bytes]: Columns): Row => ({
  rowId,
  item: unpackItem(json, isTagged === 1),
  bytes,
});

/** Only texts and numbers are indexed; other values are in no index. */
const indexedValue = (value: unknown): SQLInputValue =>
  typeof value === 'string' || typeof value === 'number' ? value : null;
