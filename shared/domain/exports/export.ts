/**
 * What an export holds: what every member may see, additionally the private data of consenting users, or
 * everything.
 */
export const exportTypes = ['public', 'full_with_consent', 'full_without_consent'] as const;
export type ExportType = (typeof exportTypes)[number];

export interface DataExport {
  exportId: number;
  /** The user who requested it. */
  actorId: number;
  type: ExportType;
  requestedAtMs: number;
  status: 'pending' | 'complete' | 'failed' | 'deleted';
  /** When it succeeded or failed; absent while it is pending. */
  endedAtMs?: number;
  /** A random text with which the archive's addresses are signed. */
  addressKey: string;
  /** The file name of the archive, while it exists. */
  file?: string;
}

/** All remembered exports, oldest first. */
export interface ExportLedger {
  exports: DataExport[];
  lastId: number;
  /** Counts changes; a change is conditional on the revision that it read. */
  revision: number;
}

/** The address of an archive, for callers who may download it. */
export type AddressOf = (dataExport: DataExport) => string | null;

const DAY_MS = 24 * 3600 * 1000;

/** Archives are deleted at this age, because a forgotten file can leak. */
export const ARCHIVE_LIFE_MS = 90 * DAY_MS;

/** The record of the reference. Imports do not exist here, so no export comes from another server. */
export const toExportRecord = (dataExport: DataExport, addressOf: AddressOf) => ({
  id: dataExport.exportId,
  acting_user_id: dataExport.actorId,
  export_time: dataExport.requestedAtMs / 1000,
  deleted_timestamp: endOf(dataExport, 'deleted'),
  failed_timestamp: endOf(dataExport, 'failed'),
  export_url: dataExport.status === 'complete' ? addressOf(dataExport) : null,
  pending: dataExport.status === 'pending',
  export_from_prior_server: false,
  export_type: dataExport.type,
});

const endOf = ({ status, endedAtMs }: DataExport, end: DataExport['status']): number | null =>
  status === end && endedAtMs !== undefined ? endedAtMs / 1000 : null;

/** Archives past their age limit. */
export const listOverdue = ({ exports }: ExportLedger, nowMs: number): DataExport[] =>
  exports.filter(
    ({ status, endedAtMs = nowMs }) => status === 'complete' && nowMs - endedAtMs >= ARCHIVE_LIFE_MS,
  );
