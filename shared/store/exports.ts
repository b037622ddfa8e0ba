import type { DataExport, ExportLedger } from '#shared/domain/exports/export.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

/** All remembered exports. One strongly consistent read. */
export async function getExports(table: Table): Promise<ExportLedger> {
  const item = await table.find(organizationKeys.exports());
  const { exports = [], lastId = 0, revision = 0 } = (item ?? {}) as Partial<ExportLedger>;
  return { exports, lastId, revision };
}

export async function findExport(table: Table, exportId: number): Promise<DataExport | undefined> {
  const { exports } = await getExports(table);
  return exports.find((dataExport) => dataExport.exportId === exportId);
}

/** The progress of an export. */
export interface ExportProgress {
  exportId: number;
  /** Counts the runs; only the latest run may change the progress. */
  run: number;
  /** No other run starts before this time. */
  leasedUntilMs: number;
  /** Runs started since the last progress. */
  failures: number;
  /** The export is as of this log position; absent until the state has been read. */
  position?: number;
  /** The run that planned the contents of the later parts. */
  planOfRun?: number;
  /** Messages up to this position have been written. */
  messagesThrough: number;
  /** The number of stored files that have been written. */
  filesWritten: number;
  /** The written parts in order. */
  parts: ExportPart[];
}

/** A part of the archive, stored separately until all parts are joined. */
export interface ExportPart {
  file: string;
  bytes: number;
}

const beginning = { run: 0, leasedUntilMs: 0, failures: 0, messagesThrough: 0, filesWritten: 0, parts: [] };

/** The progress of the export; the initial state when nothing has been done. One read. */
export async function getProgress(table: Table, exportId: number): Promise<ExportProgress> {
  const item = await table.find(organizationKeys.exportProgress(exportId));
  if (!item) return { exportId, ...beginning };
  const { pk: _pk, sk: _sk, ...progress } = item as Item;
  return recordOf<ExportProgress>(progress);
}

/** Stores the progress unless another run has started. @throws ConditionFailed */
export const putProgress = (table: Table, progress: ExportProgress, afterRun: number): Promise<void> =>
  table.write({
    kind: 'put',
    item: { ...organizationKeys.exportProgress(progress.exportId), ...progress },
    condition: afterRun === 0 ? { exists: false } : { equals: { run: afterRun } },
  });

/** Upper bounds for the size of the organization: accounts and used log positions. Two reads. */
export async function readSize(table: Table): Promise<{ users: number; positions: number }> {
  const [users, log] = await Promise.all([
    table.find(organizationKeys.counter('user')),
    table.find(organizationKeys.counter('log')),
  ]);
  return { users: Number(users?.id), positions: Number(log?.position ?? 0) };
}
