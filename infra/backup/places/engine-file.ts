import { DatabaseSync } from 'node:sqlite';
import { BackupFailure } from '../archive/format.ts';
import { toLine } from '../table-items.ts';

/** The layout of the file that the pinned engine writes. */
const LAYOUT = '9';

/** A key as the file has it. */
export interface FileKey {
  pk: string;
  sk: string;
}

/**
 * One table in a file of the embedded engine that no engine has open. The engine sorts the whole table for each page of a
 * Scan; here each item is read once.
 */
export class EngineFile {
  readonly #database: DatabaseSync;
  readonly #table: string;

  /** @throws BackupFailure for a file of another layout */
  constructor(path: string, table: string) {
    this.#database = new DatabaseSync(path, { readOnly: true });
    this.#table = table;
    const row = this.#database.prepare(`SELECT value FROM _config WHERE key = 'schema_version'`).get();
    if (row?.value !== LAYOUT)
      throw new BackupFailure(
        `${path} has layout ${row?.value} of the engine; this version reads ${LAYOUT}.`,
      );
  }

  countItems(): number {
    return Number(this.#database.prepare(`SELECT count(*) AS items FROM "${this.#table}"`).get()?.items);
  }

  /** The items as lines, in the order of their keys, from after a key on. */
  *items(after: FileKey = { pk: '', sk: '' }): Generator<{ line: string; key: FileKey }> {
    const rows = this.#database
      .prepare(
        `SELECT pk, sk, item_json AS item FROM "${this.#table}" WHERE (pk, sk) > (?, ?) ORDER BY pk, sk`,
      )
      .iterate(after.pk, after.sk);
    for (const row of rows) {
      const { pk, sk, item } = row as unknown as FileKey & { item: string };
      yield { line: toLine(JSON.parse(item)), key: { pk, sk } };
    }
  }

  close(): void {
    this.#database.close();
  }
}
