import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BackupFailure, FILES, FORMAT, FORMAT_VERSION, itemsName } from './archive/format.ts';
import { sealSecret } from './archive/seal.ts';
import { ArchiveWriter, type WriterState } from './archive/writer.ts';
import { type OpenSource, type Saved, type Source, SourceMoved } from './places/place.ts';
import type { OnStep } from './progress.ts';

const compress = promisify(gzip);

export interface BackupOptions {
  source: Source;
  /** The archive; it must not exist. */
  to: string;
  /** Seals the secret; without one the secret is left out. */
  passphrase: string | undefined;
  /** The cost of the seal, if it is not the usual one. */
  sealCost?: number;
  madeBy: string;
  onStep: OnStep;
  /** The size of a part of the table, before compression; all that is in memory at once. */
  partBytes?: number;
}

/** What lies beside an unfinished archive. */
interface Work {
  id: string;
  sourceName: string;
  source?: Saved;
  archive?: WriterState;
  items: { count: number; parts: number; after?: unknown; areDone: boolean };
  files: { count: number; after: string };
}

const PART_BYTES = 4 * 1024 * 1024;
const FILES_PER_SAVE = 100;
const BYTES_PER_SAVE = 32 * 1024 * 1024;
const NOTHING = { files: 0, bytes: 0 };
/** A source that moves on each time is in use. */
const ATTEMPTS = 2;

/**
 * Copies a service into one archive. An interrupted run is gone on with by the next one with the same archive.
 * @returns how much it holds @throws BackupFailure
 */
export async function backUp(
  options: BackupOptions,
): Promise<{ items: number; files: number; asOf: string }> {
  const { to, source } = options;
  if (await isThere(to)) throw new BackupFailure(`${to} exists already; a backup never replaces a file.`);
  for (let attempt = 1; ; attempt++) {
    const work = (await findWork(to)) ?? newWork(source.name);
    if (work.sourceName !== source.name)
      throw new BackupFailure(
        `${partOf(to)} is an unfinished backup of ${work.sourceName}; finish that one, or delete it and ${workOf(to)}.`,
      );
    try {
      return await attemptBackup(options, work);
    } catch (failure) {
      if (!(failure instanceof SourceMoved)) throw failure;
      await Promise.all([rm(partOf(to), { force: true }), rm(workOf(to), { force: true })]);
      if (attempt === ATTEMPTS)
        throw new BackupFailure(
          `${source.name} was changed while it was read: stop the service, and run this again.`,
        );
    }
  }
}

const newWork = (sourceName: string): Work => ({
  id: randomUUID(),
  sourceName,
  items: { count: 0, parts: 0, areDone: false },
  files: { count: 0, after: '' },
});

async function attemptBackup(
  options: BackupOptions,
  work: Work,
): Promise<{ items: number; files: number; asOf: string }> {
  const { to, source, onStep } = options;
  onStep({ doing: work.source ? 'Going on' : 'Preparing', done: 0 });
  const opened = await source.open(work.id, work.source, async (saved) => {
    work.source = saved;
    await saveWork(to, work);
  });
  const madeAt = new Date(opened.asOf);
  const writer = await ArchiveWriter.open(partOf(to), madeAt, work.archive);
  try {
    if (!work.archive) await begin(options, opened, writer, work.id);
    if (!work.items.areDone) await copyItems(options, opened, writer, work);
    await copyFiles(options, opened, writer, work);
    await writer.finish({ items: work.items.count, files: work.files.count });
  } finally {
    await writer.close();
    await opened.close();
  }
  await rename(partOf(to), to);
  await rm(workOf(to));
  await opened.forget();
  return { items: work.items.count, files: work.files.count, asOf: opened.asOf };
}

async function begin(
  { source, passphrase, sealCost, madeBy }: BackupOptions,
  opened: OpenSource,
  writer: ArchiveWriter,
  id: string,
): Promise<void> {
  const secret = passphrase === undefined ? undefined : await opened.secret();
  await writer.begin({
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    id,
    madeBy,
    asOf: opened.asOf,
    source: source.name,
    secret: secret && passphrase ? sealSecret(secret, passphrase, sealCost) : null,
  });
}

async function copyItems(
  { to, onStep, partBytes = PART_BYTES }: BackupOptions,
  opened: OpenSource,
  writer: ArchiveWriter,
  work: Work,
): Promise<void> {
  const { items } = work;
  let part: string[] = [];
  let size = 0;
  const endPart = async (after: unknown): Promise<void> => {
    if (part.length > 0) await writer.add(itemsName(++items.parts), await compress(part.join('')));
    items.count += part.length;
    items.after = after;
    part = [];
    size = 0;
    work.archive = await writer.save();
    await saveWork(to, work);
    onStep({ doing: 'Items', done: items.count, total: Math.max(items.count, opened.itemsAbout) });
  };
  let place = items.after;
  for await (const { lines, after } of opened.items(items.after)) {
    place = after;
    for (const line of lines) {
      part.push(line);
      size += line.length;
    }
    if (size >= partBytes) await endPart(place);
  }
  items.areDone = true;
  await endPart(place);
}

async function copyFiles(
  { to, onStep }: BackupOptions,
  opened: OpenSource,
  writer: ArchiveWriter,
  work: Work,
): Promise<void> {
  const { files } = work;
  let unsaved = NOTHING;
  const save = async (): Promise<void> => {
    work.archive = await writer.save();
    await saveWork(to, work);
    unsaved = NOTHING;
  };
  for await (const { name, size, read } of opened.files(files.after)) {
    await writer.addPieces(`${FILES}${name}`, size, read());
    files.count++;
    files.after = name;
    unsaved = { files: unsaved.files + 1, bytes: unsaved.bytes + size };
    if (unsaved.files >= FILES_PER_SAVE || unsaved.bytes >= BYTES_PER_SAVE) await save();
    onStep({ doing: 'Files', done: files.count, note: name });
  }
}

/** The archive until it is complete. */
const partOf = (to: string): string => `${to}.part`;
/** How far it is. */
const workOf = (to: string): string => `${to}.part.json`;

async function findWork(to: string): Promise<Work | undefined> {
  const text = await readFile(workOf(to), 'utf8').catch(() => undefined);
  const work = text === undefined ? undefined : (JSON.parse(text) as Work);
  if (work?.archive && !(await isThere(partOf(to)))) return undefined;
  return work;
}

/** Replaces the file at once, so that it is whole after any interruption. */
async function saveWork(to: string, work: Work): Promise<void> {
  const next = `${workOf(to)}~`;
  await writeFile(next, JSON.stringify(work), { mode: 0o600, flush: true });
  await rename(next, workOf(to));
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
