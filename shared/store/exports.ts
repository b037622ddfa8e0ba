import type { DataExport, ExportLedger } from '#shared/domain/exports/export.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** Every export that is remembered. One strongly consistent read. */
export async function getExports(table: Table): Promise<ExportLedger> {
  const item = await table.find(keys.exports());
  const { exports = [], lastId = 0, revision = 0 } = (item ?? {}) as Partial<ExportLedger>;
  return { exports, lastId, revision };
}

export async function findExport(table: Table, exportId: number): Promise<DataExport | undefined> {
  const { exports } = await getExports(table);
  return exports.find((one) => one.exportId === exportId);
}

/** How far an export has come. */
export interface ExportProgress {
  exportId: number;
  /** Counts the runs; a run that is not the latest changes nothing any more. */
  run: number;
  /** Until then no other run begins. */
  leasedUntilMs: number;
  /** Runs that began since the last progress. */
  failures: number;
  /** Everything in the export is as of this position of the log; absent until the state was read. */
  position?: number;
  /** The run that wrote down what the later parts have to hold. */
  planOfRun?: number;
  /** Up to here messages were written. */
  messagesThrough: number;
  /** So many of the stored files that the state names were written. */
  filesWritten: number;
  /** What was written, in order. */
  parts: ExportPart[];
}

/** A piece of the archive that is stored by itself until all of them are joined. */
export interface ExportPart {
  file: string;
  bytes: number;
}

const beginning = { run: 0, leasedUntilMs: 0, failures: 0, messagesThrough: 0, filesWritten: 0, parts: [] };

/** How far the export has come; the beginning where nothing was done. One read. */
export async function getProgress(table: Table, exportId: number): Promise<ExportProgress> {
  const item = await table.find(keys.exportProgress(exportId));
  if (!item) return { exportId, ...beginning };
  const { pk: _pk, sk: _sk, ...progress } = item as Item;
  return progress as unknown as ExportProgress;
}

/** Stores how far the export has come, unless another run has begun. @throws ConditionFailed */
export const putProgress = (table: Table, progress: ExportProgress, afterRun: number): Promise<void> =>
  table.write({
    kind: 'put',
    item: { ...keys.exportProgress(progress.exportId), ...progress },
    condition: afterRun === 0 ? { exists: false } : { equals: { run: afterRun } },
  });

/** How large the organization may be at most: accounts and positions of the log that were given out. Two reads. */
export async function readSize(table: Table): Promise<{ users: number; positions: number }> {
  const [users, log] = await Promise.all([table.find(keys.counter('user')), table.find(keys.counter('log'))]);
  return { users: Number(users?.id ?? 0), positions: Number(log?.position ?? 0) };
}
