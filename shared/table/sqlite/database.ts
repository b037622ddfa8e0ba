import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tableDefinition } from '../definition.ts';

/** Why a file cannot be opened as a table, in a sentence that says what to do. */
export class UnusableFile extends Error {}

/** "TChS", by which SQLite and `file` recognize a file of this service. */
const APPLICATION_ID = 0x54436853;

const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;

/** The attributes that have a column of their own, for the indexes and for expiry. */
export const indexedAttributes = [
  ...new Set(indexes.flatMap((index) => [index.partitionKey, index.sortKey])),
  timeToLiveAttribute,
].filter((name) => name !== sortKey);

/** Each brings a file of the version before it to the next one; a new file goes through all of them. */
const MIGRATIONS: ((database: DatabaseSync) => void)[] = [createTables];

/** The version of the format that this code writes. */
export const FORMAT_VERSION = MIGRATIONS.length;

/** The path of a database in memory. */
export const IN_MEMORY = ':memory:';

/** Other processes hold the lock for writing only for milliseconds: a backup, a sign-in link, a replicator. */
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 16_384;

/**
 * Opens or creates the file of a table and brings it to the present format. Only its owner may read it.
 * @throws UnusableFile for a file that is damaged, foreign, or of a newer format
 */
export function openDatabase(path: string): DatabaseSync {
  // SQLite gives its other files the mode of this one.
  if (path !== IN_MEMORY) closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    if (path !== IN_MEMORY) chmodSync(path, 0o600);
    configure(database);
    migrate(database, path);
    return database;
  } catch (failure) {
    database.close();
    throw explained(failure, path);
  }
}

function configure(database: DatabaseSync): void {
  database.exec(`
    PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -${CACHE_KIB};
  `);
}

function migrate(database: DatabaseSync, path: string): void {
  const version = pragma(database, 'user_version');
  const isNew = version === 0 && !database.prepare('SELECT 1 FROM sqlite_schema').get();
  if (!isNew && pragma(database, 'application_id') !== APPLICATION_ID)
    throw new UnusableFile(
      `The file ${path} is not a database of this service; move it away, or choose another folder by DATA_DIR.`,
    );
  if (version > FORMAT_VERSION)
    throw new UnusableFile(
      `The file ${path} was written by a newer version of the service (format ${version}; this version reads ${FORMAT_VERSION}); start that version, or restore a backup that is older.`,
    );
  if (version === FORMAT_VERSION) return;
  database.exec('BEGIN IMMEDIATE');
  for (const step of MIGRATIONS.slice(version)) step(database);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT_VERSION}; COMMIT`);
}

const pragma = (database: DatabaseSync, name: string): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);

/** Format 1. Rows of an index are ordered by its sort key, and equal ones by the key of the table. */
function createTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE items (
      ${partitionKey} TEXT NOT NULL,
      ${sortKey} TEXT NOT NULL,
      json TEXT NOT NULL,
      isTagged INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      ${indexedAttributes.join(', ')},
      PRIMARY KEY (${partitionKey}, ${sortKey})
    );
    CREATE INDEX expiring ON items (${timeToLiveAttribute}) WHERE ${timeToLiveAttribute} IS NOT NULL;
    CREATE TABLE transactions (token TEXT PRIMARY KEY, digest TEXT NOT NULL, atMs INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX transactionsByTime ON transactions (atMs);
  `);
  for (const index of indexes) {
    const columns = [...new Set([index.partitionKey, index.sortKey, partitionKey, sortKey])];
    database.exec(
      `CREATE INDEX ${index.name} ON items (${columns.join(', ')}) WHERE ${index.partitionKey} IS NOT NULL`,
    );
  }
}

/** The result codes of SQLite that are handled differently. */
const FULL = 13;
const DAMAGED = [11, 26];

/** Whether a statement failed in SQLite. */
export const isOfSqlite = (failure: unknown): failure is Error =>
  failure instanceof Error && 'code' in failure && failure.code === 'ERR_SQLITE_ERROR';

const resultCode = (failure: unknown): number =>
  isOfSqlite(failure) && 'errcode' in failure ? Number(failure.errcode) & 0xff : 0;

/** Whether a statement failed because the disk is full. */
export const isFull = (failure: unknown): boolean => resultCode(failure) === FULL;

function explained(failure: unknown, path: string): unknown {
  if (!DAMAGED.includes(resultCode(failure))) return failure;
  return new UnusableFile(
    `The file ${path} is damaged, or no database; move it away and restore a backup (npm run restore).`,
  );
}
