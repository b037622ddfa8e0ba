import { chunksOf } from '#shared/domain/chunks.ts';
import type { DataExport } from '#shared/domain/exports/export.ts';
import { messageLine } from '#shared/domain/exports/lines.ts';
import { type ExportScope, isInScope, scopeOf } from '#shared/domain/exports/scope.ts';
import { type ArchiveFile, digestOf, packPiece } from '#shared/runtime/archive.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { FileStore, Services } from '#shared/runtime/services.ts';
import type { ExportPart, ExportProgress } from '#shared/store/exports.ts';
import { listEntries } from '#shared/store/log/log.ts';
import { withReactions } from '#shared/store/messages/reactions.ts';
import { withSubmessages } from '#shared/store/messages/submessages.ts';
import { linesOf } from './person.ts';
import { readSettledState, type SettledState } from './settled-state.ts';
import { sharedLines } from './shared-state.ts';

/** The progress that a slice of work adds to an export. */
export type Advance = Partial<Omit<ExportProgress, 'exportId' | 'run'>>;

/** What later slices need to know about the state, which has changed by then. */
export interface ExportPlan {
  organization: { name: string; url: string };
  scope: ExportScope;
  /** Stored files that the exported data shows. */
  files: string[];
}

/** A file of the archive in the table of contents. */
export interface ArchiveEntry {
  name: string;
  sha256: string;
  /** The number of lines, for line-based files. */
  lines?: number;
}

const POSITIONS_PER_READ = 1_000;
const PEOPLE_PER_FILE = 500;
const FILES_PER_PART = 200;

/** The folder of an export among the stored files. */
export const folderOf = (exportId: number): string => `exports/${exportId}`;
/** Names differ by run, so that an abandoned run cannot overwrite the work of another. */
export const partFile = (exportId: number, index: number, run: number): string =>
  `${folderOf(exportId)}/parts/${index}-${run}.tar.gz`;
/** The contents of a part are stored beside it: a list of thousands of pictures does not fit into an item. */
export const contentsFile = (part: string): string => part.replace(/\.tar\.gz$/, '.json');
const planFile = (exportId: number, run: number): string => `${folderOf(exportId)}/parts/plan-${run}.json`;
export const planFilesOf = (exportId: number, runs: number[]): string[] =>
  runs.map((run) => planFile(exportId, run));

/** Writes the next parts of the archive; undefined when all are written. */
export async function writeNextParts(
  services: Services,
  asked: DataExport,
  progress: ExportProgress,
): Promise<Advance | undefined> {
  if (progress.position === undefined) return writeState(services, asked, progress);
  const plan = await getPlan(services, progress);
  if (progress.messagesThrough < progress.position)
    return writeMessages(services, asked, progress, progress.position, plan.scope);
  if (progress.filesWritten < plan.files.length) return writeFiles(services, asked, progress, plan);
  return undefined;
}

/** The plan that was stored when the state was read. */
export async function getPlan(
  { files }: Services,
  { exportId, planOfRun = 0 }: ExportProgress,
): Promise<ExportPlan> {
  return (await getJson(files, planFile(exportId, planOfRun))) as ExportPlan;
}

/** The contents of a part of the archive. */
export const getContents = async ({ files }: Services, { file }: ExportPart): Promise<ArchiveEntry[]> =>
  (await getJson(files, contentsFile(file))) as ArchiveEntry[];

async function getJson(files: FileStore, name: string): Promise<unknown> {
  const bytes = await files.find(name);
  if (!bytes) throw new Error(`The file ${name} of an export is missing`);
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

const putJson = (files: FileStore, name: string, value: unknown): Promise<void> =>
  files.put(name, Buffer.from(JSON.stringify(value)));

async function writeState(services: Services, asked: DataExport, progress: ExportProgress): Promise<Advance> {
  const state = await readSettledState(services, asked.type);
  const scope = scopeOfState(asked, state);
  const writer = new PartWriter(services, asked, progress);
  const shown = new Set<string>();
  for (const [name, lines] of Object.entries(
    sharedLines(state.shared, asked.type, (channelId) => scope.channels[channelId] !== undefined),
  )) {
    const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    for (const file of filesShownIn(content)) shown.add(file);
    await writer.add(name, Buffer.from(content), lines.length);
  }
  for (const [n, some] of chunksOf([...state.people.values()], PEOPLE_PER_FILE).entries()) {
    const content = (await mapConcurrently(some, linesOf)).join('');
    const name = `private/users-${n + 1}.jsonl`;
    await writer.add(name, Buffer.from(content), content.split('\n').length - 1);
  }
  const { realm_name: name, realm_url: url } = state.shared.organization as Record<string, string>;
  const plan: ExportPlan = {
    organization: { name: name ?? '', url: url ?? '' },
    scope,
    files: [...shown],
  };
  await putJson(services.files, planFile(asked.exportId, progress.run), plan);
  return { position: state.position, planOfRun: progress.run, parts: await writer.finish() };
}

const scopeOfState = ({ type }: DataExport, { shared, people }: SettledState): ExportScope =>
  scopeOf(
    type,
    shared.channels.map(({ channel }) => channel),
    shared.users
      .filter(({ userId }) => people.has(userId))
      .map((user) => ({ user, ties: people.get(user.userId)?.ties ?? [] })),
  );

/** Pictures of people, the organization and emoji appear in the records by their addresses. */
function filesShownIn(content: string): string[] {
  const names = content.matchAll(/\/user_avatars\/([0-9a-f-]{36}(?:-[a-z]+)?\.(?:png|gif|webp))\b/g);
  return [...names].map(([, name]) => `pictures/${name}`);
}

async function writeMessages(
  services: Services,
  asked: DataExport,
  progress: ExportProgress,
  position: number,
  scope: ExportScope,
): Promise<Advance> {
  const consenting = new Set(scope.consentingIds);
  const from = progress.messagesThrough + 1;
  const lines: string[] = [];
  let bytes = 0;
  let through = progress.messagesThrough;
  const { exportPart } = services.config;
  const last = Math.min(position, through + exportPart.positions);
  while (through < last && bytes < exportPart.bytes) {
    const next = Math.min(through + POSITIONS_PER_READ, last);
    const entries = await listEntries(services.table, through + 1, next);
    const all = entries.flatMap(({ position: messageId, message }) =>
      message ? [{ ...message, messageId }] : [],
    );
    const exported = all.filter((message) => isInScope(scope, consenting, message));
    const options = { among: all, consistent: true };
    const reacted = await withReactions(services.table, exported, options);
    for (const message of await withSubmessages(services.table, reacted, options)) {
      const line = `${JSON.stringify(messageLine(message))}\n`;
      lines.push(line);
      bytes += Buffer.byteLength(line);
    }
    through = next;
  }
  const writer = new PartWriter(services, asked, progress);
  const name = `messages/${padded(from)}-${padded(through)}.jsonl`;
  if (lines.length > 0) await writer.add(name, Buffer.from(lines.join('')), lines.length);
  return { messagesThrough: through, parts: await writer.finish() };
}

/** As many digits as positions have, so that files sort like messages. */
const padded = (position: number): string => String(position).padStart(10, '0');

async function writeFiles(
  services: Services,
  asked: DataExport,
  progress: ExportProgress,
  { files }: ExportPlan,
): Promise<Advance> {
  const names = files.slice(progress.filesWritten, progress.filesWritten + FILES_PER_PART);
  const contents = await mapConcurrently(names, (name) => services.files.find(name));
  const writer = new PartWriter(services, asked, progress);
  for (const [index, name] of names.entries()) {
    const content = contents[index];
    // Absent when it was replaced after the state was read.
    if (content) await writer.add(`files/${name}`, content);
  }
  return { filesWritten: progress.filesWritten + names.length, parts: await writer.finish() };
}

/** Collects files into parts of limited size and stores them. */
class PartWriter {
  readonly #services: Services;
  readonly #asked: DataExport;
  readonly #run: number;
  readonly #parts: ExportPart[];
  #files: ArchiveFile[] = [];
  #entries: ArchiveEntry[] = [];
  #bytes = 0;

  constructor(services: Services, asked: DataExport, { run, parts }: ExportProgress) {
    this.#services = services;
    this.#asked = asked;
    this.#run = run;
    this.#parts = [...parts];
  }

  async add(name: string, content: Uint8Array, lines?: number): Promise<void> {
    this.#files.push({ name, content });
    this.#entries.push({ name, sha256: digestOf(content), ...(lines !== undefined && { lines }) });
    this.#bytes += content.length;
    if (this.#bytes >= this.#services.config.exportPart.bytes) await this.#store();
  }

  /** All parts of the export, including the new ones. */
  async finish(): Promise<ExportPart[]> {
    if (this.#files.length > 0) await this.#store();
    return this.#parts;
  }

  async #store(): Promise<void> {
    const { exportId, requestedAtMs } = this.#asked;
    const piece = await packPiece(this.#files, requestedAtMs);
    const file = partFile(exportId, this.#parts.length, this.#run);
    const { files } = this.#services;
    await Promise.all([files.put(file, piece), putJson(files, contentsFile(file), this.#entries)]);
    this.#parts.push({ file, bytes: piece.length });
    this.#files = [];
    this.#entries = [];
    this.#bytes = 0;
  }
}
