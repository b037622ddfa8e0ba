/** What an export holds: what every member may see, also what is private of those who agreed, or everything. */
export const exportTypes = ['public', 'full_with_consent', 'full_without_consent'] as const;
export type ExportType = (typeof exportTypes)[number];

export interface DataExport {
  exportId: number;
  /** Who asked for it. */
  actorId: number;
  type: ExportType;
  requestedAtMs: number;
  status: 'pending' | 'complete' | 'failed' | 'deleted';
  /** When it came to be as it is; absent while it is pending. */
  endedAtMs?: number;
  /** A random text under which addresses of the archive are signed. */
  addressKey: string;
  /** The name of the archive among the stored files, while there is one. */
  file?: string;
}

/** Every export that is remembered, the oldest first. */
export interface ExportLedger {
  exports: DataExport[];
  lastId: number;
  /** Counts the changes; a change names the one that it saw. */
  revision: number;
}

/** The address of an archive, for those who may have it. */
export type AddressOf = (one: DataExport) => string | null;

const DAY_MS = 24 * 3600 * 1000;

/** An archive is deleted when it is this old: what lies about can be lost. */
export const ARCHIVE_LIFE_MS = 90 * DAY_MS;

/** The record of the reference. Nothing is imported here, so no export comes from another server. */
export const toExportRecord = (one: DataExport, addressOf: AddressOf) => ({
  id: one.exportId,
  acting_user_id: one.actorId,
  export_time: one.requestedAtMs / 1000,
  deleted_timestamp: endOf(one, 'deleted'),
  failed_timestamp: endOf(one, 'failed'),
  export_url: one.status === 'complete' ? addressOf(one) : null,
  pending: one.status === 'pending',
  export_from_prior_server: false,
  export_type: one.type,
});

const endOf = ({ status, endedAtMs }: DataExport, end: DataExport['status']): number | null =>
  status === end && endedAtMs !== undefined ? endedAtMs / 1000 : null;

/** Archives that are older than they are kept. */
export const listOverdue = ({ exports }: ExportLedger, nowMs: number): DataExport[] =>
  exports.filter(
    ({ status, endedAtMs = nowMs }) => status === 'complete' && nowMs - endedAtMs >= ARCHIVE_LIFE_MS,
  );
