import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ParsedTarEntry } from 'modern-tar';
import { BackupFailure, FILES, ITEMS, type Opening } from './archive/format.ts';
import { contentOf, entriesOf, passOver, verifyArchive } from './archive/reader.ts';
import { openSecret } from './archive/seal.ts';
import type { FilesTarget, SecretTarget } from './places/place.ts';
import type { OnStep } from './progress.ts';
import { fromLine, type RawItem, type RawTable } from './raw-items.ts';
import {
  endProgress,
  findProgress,
  type RestoreProgress,
  saveProgress,
  withoutMark,
} from './restore-mark.ts';

const unpack = promisify(gunzip);

export interface RestoreTarget {
  /** For people to read. */
  name: string;
  table: RawTable;
  files: FilesTarget;
  secret: SecretTarget;
  /** Waits until no function works any more that began before the organization was closed. An empty place has none. */
  settle(): Promise<void>;
}

export interface RestoreOptions {
  archive: string;
  target: RestoreTarget;
  passphrase: string | undefined;
  /** Leaves the target's own secret as it is. */
  withoutSecret?: boolean;
  /** Permits a target that is not empty; all that it holds goes. */
  replaces?: boolean;
  /** Keeps event queues, which is right only if nothing was written since the backup. */
  keepsQueues?: boolean;
  onStep: OnStep;
}

export interface Restored {
  items: number;
  files: number;
  asOf: string;
}

/** What upkeep writes into the table of a stage that was never used. */
const UPKEEP = new Set([
  'ACCOUNTS_LOOKED_THROUGH',
  'FRONTIER',
  'FULL_MEMBERS',
  'NOTIFIER',
  'RETENTION',
  'SEARCH_INDEX',
  'TRAFFIC',
]);
const FILES_PER_SAVE = 100;

/**
 * Puts an archive back, byte for byte. An interrupted run is gone on with by the next one.
 * @throws BackupFailure before anything is changed, for an archive that is damaged or a target that is not empty
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { archive, target, onStep } = options;
  let bytes = 0;
  const { opening, ending } = await verifyArchive(archive, (read) => {
    bytes += read;
    onStep({ doing: 'Checking the archive', done: bytes });
  });
  const secret = openedSecret(options, opening);
  const progress = (await findOwnProgress(options, opening)) ?? (await begin(options, opening, secret));
  // A service that was started meanwhile is refused, and has made a secret before.
  if (secret !== undefined) await target.secret.put(secret);
  if (progress.isEmptying) await empty(options, progress);
  await fill(options, progress);
  await endProgress(target.table, progress);
  return { items: ending.items - progress.leftOut, files: ending.files, asOf: opening.asOf };
}

function openedSecret(
  { passphrase, withoutSecret = false }: RestoreOptions,
  { secret: sealed }: Opening,
): string | undefined {
  if (withoutSecret || !sealed) return undefined;
  if (passphrase === undefined)
    throw new BackupFailure(
      'BACKUP_PASSPHRASE is missing: the archive holds the secret of API keys, sealed under it.',
    );
  return openSecret(sealed, passphrase);
}

/** The progress of an earlier run with the same archive. */
async function findOwnProgress(
  { target, replaces = false }: RestoreOptions,
  { id }: Opening,
): Promise<RestoreProgress | undefined> {
  const progress = await findProgress(target.table);
  if (!progress || progress.archiveId === id) return progress;
  if (!replaces)
    throw new BackupFailure(
      `${target.name} has an unfinished restore of another archive; finish that one, or start over with --replace.`,
    );
  return undefined;
}

async function begin(
  { target, replaces = false }: RestoreOptions,
  { id }: Opening,
  secret: string | undefined,
): Promise<RestoreProgress> {
  const { table, files } = target;
  if (!replaces) {
    if (!((await isUnused(table)) && (await isNone(files.list()))))
      throw new BackupFailure(`${target.name} is not empty; --replace removes all that it holds.`);
    const existing = secret && (await target.secret.find());
    if (existing && existing !== secret)
      throw new BackupFailure(
        `${target.name} has another secret of API keys; --replace takes that of the archive.`,
      );
  }
  const progress = { archiveId: id, isEmptying: true, entries: 0, leftOut: 0 };
  await saveProgress(table, progress);
  if (replaces) await target.settle();
  return progress;
}

async function isUnused(table: RawTable): Promise<boolean> {
  for await (const { items } of table.scan())
    if (!items.every(({ pk }) => UPKEEP.has(pk?.S ?? ''))) return false;
  return true;
}

async function isNone(names: AsyncIterable<string>): Promise<boolean> {
  for await (const _name of names) return false;
  return true;
}

async function empty({ target, onStep }: RestoreOptions, progress: RestoreProgress): Promise<void> {
  let removed = 0;
  for await (const { items } of target.table.scan()) {
    const others = withoutMark(items, { ...progress });
    await target.table.remove(others);
    removed += others.length;
    if (removed > 0) onStep({ doing: 'Removing the old content', done: removed });
  }
  progress.isEmptying = false;
}

async function fill(options: RestoreOptions, progress: RestoreProgress): Promise<void> {
  const { archive, target, keepsQueues = false, onStep } = options;
  const others = new OtherFiles(target.files);
  const [isDone, done] = [progress.entries, { items: 0, files: 0 }];
  let entries = 0;
  for await (const entry of entriesOf(archive)) {
    const { name } = entry.header;
    const isFile = name.startsWith(FILES);
    if (isFile) await others.removeBefore(name.slice(FILES.length));
    if (++entries <= isDone || !(isFile || name.startsWith(ITEMS))) {
      await passOver(entry);
      continue;
    }
    if (isFile) {
      await target.files.put(name.slice(FILES.length), entry.header.size, entry.body);
      onStep({ doing: 'Files', done: ++done.files, note: name });
    } else {
      const items = await itemsOf(entry);
      const kept = keepsQueues ? items : items.filter(outlivesClients);
      await target.table.put(withoutMark(kept, progress));
      progress.leftOut += items.length - kept.length;
      done.items += items.length;
      onStep({ doing: 'Items', done: done.items });
    }
    progress.entries = entries;
    if (!isFile || done.files % FILES_PER_SAVE === 0) await saveProgress(target.table, progress);
  }
  await others.removeRest();
}

async function itemsOf(entry: ParsedTarEntry): Promise<RawItem[]> {
  const lines = (await unpack(await contentOf(entry))).toString('utf8').split('\n');
  return lines.filter(Boolean).map(fromLine);
}

/** A client may have seen events that the backup lacks, so its queue is dropped and it registers again. */
const outlivesClients = ({ pk }: RawItem): boolean => !/^(QUEUE|POLLS)#/.test(pk?.S ?? '');

/** Removes the files of a target that an archive does not have. Both have their files in the order of their names. */
class OtherFiles {
  readonly #target: FilesTarget;
  readonly #names: AsyncIterator<string>;
  #next: IteratorResult<string> | undefined;

  constructor(target: FilesTarget) {
    this.#target = target;
    this.#names = target.list()[Symbol.asyncIterator]();
  }

  /** What comes before the next file of the archive, and is not the one before it. */
  async removeBefore(name: string): Promise<void> {
    this.#next ??= await this.#names.next();
    for (; !this.#next.done && this.#next.value < name; this.#next = await this.#names.next())
      await this.#target.remove(this.#next.value);
    if (!this.#next.done && this.#next.value === name) this.#next = await this.#names.next();
  }

  async removeRest(): Promise<void> {
    this.#next ??= await this.#names.next();
    for (; !this.#next.done; this.#next = await this.#names.next())
      await this.#target.remove(this.#next.value);
  }
}
