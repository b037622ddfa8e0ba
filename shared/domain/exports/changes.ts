import type { Change } from '#shared/domain/change.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import type { OrganizationSettings } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';
import {
  type AddressOf,
  type DataExport,
  type ExportLedger,
  type ExportType,
  toExportRecord,
} from './export.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const EXPORTS_PER_WEEK = 5;
/** All exports are in one item and in every event; at five a week it takes 20 weeks to reach this number. */
const MAX_REMEMBERED = 100;
/** Bounded by a worker's memory, and by how long an administrator can be asked to wait. */
export const exportLimits = { users: 25_000, positions: 10_000_000 } as const;

/** @throws UnauthorizedPrincipal or BadRequest when the caller may not request such an export */
export function requireMayExport(caller: User, type: ExportType, settings: OrganizationSettings): void {
  if (type !== 'full_without_consent') return;
  if (!isPermitted(caller, permissions.exportWithoutConsent, {})) throw new UnauthorizedPrincipal('owner');
  if (!settings.owner_full_content_access) throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest for an organization that is too large for a single archive */
export function requireExportable(size: { users: number; positions: number }): void {
  if (size.users > exportLimits.users || size.positions > exportLimits.positions)
    throw new BadRequest('This organization is too large to be exported.');
}

/** Starts an export. @throws BadRequest when there were too many within a week */
export function requestChange(
  ledger: ExportLedger,
  request: Pick<DataExport, 'actorId' | 'type' | 'requestedAtMs' | 'addressKey'>,
  addressOf: AddressOf,
): Change & { exportId: number } {
  const isRecent = (dataExport: DataExport): boolean =>
    request.requestedAtMs - dataExport.requestedAtMs < WEEK_MS;
  if (ledger.exports.filter(isRecent).length >= EXPORTS_PER_WEEK)
    throw new BadRequest('Exceeded rate limit.');
  const exportId = ledger.lastId + 1;
  const exports = forgetOldest([...ledger.exports, { ...request, exportId, status: 'pending' as const }]);
  return {
    exportId,
    ...ledgerChange({ ...ledger, lastId: exportId, exports }, addressOf),
    jobs: [{ type: 'export-data', payload: { exportId }, steps: [exportSteps.export, exportSteps.cleanUp] }],
  };
}

/** The steps of a job that makes an export; one that deletes an archive only cleans up. */
export const exportSteps = { export: 0, cleanUp: 1 } as const;

function forgetOldest(exports: DataExport[]): DataExport[] {
  const surplus = exports.length - MAX_REMEMBERED;
  const ended = exports.filter(({ status }) => status === 'failed' || status === 'deleted');
  const forgotten = new Set(ended.slice(0, Math.max(surplus, 0)));
  return exports.filter((dataExport) => !forgotten.has(dataExport));
}

/** Ends an export with success or failure; the message notifies the requester. */
export function endChange(
  ledger: ExportLedger,
  ended: Required<Pick<DataExport, 'exportId' | 'endedAtMs'>> & { file: string | undefined },
  addressOf: AddressOf,
  message: StoredMessage,
): Change & { writes: Write[] } {
  const { exportId, endedAtMs, file } = ended;
  const result = file === undefined ? { status: 'failed' as const } : { status: 'complete' as const, file };
  const exports = ledger.exports.map((dataExport) =>
    dataExport.exportId === exportId ? { ...dataExport, ...result, endedAtMs } : dataExport,
  );
  return { ...ledgerChange({ ...ledger, exports }, addressOf), message };
}

/** @throws BadRequest for an export without an archive */
export function deletionChange(
  ledger: ExportLedger,
  exportId: number,
  nowMs: number,
  addressOf: AddressOf,
): Change {
  const found = ledger.exports.find((dataExport) => dataExport.exportId === exportId);
  if (!found) throw new BadRequest('Invalid data export ID');
  if (found.status === 'deleted') throw new BadRequest('Export already deleted');
  if (found.status === 'failed') throw new BadRequest('Export failed, nothing to delete');
  if (found.status === 'pending') throw new BadRequest('Export still in progress');
  const { file, ...rest } = found;
  const deleted: DataExport = { ...rest, status: 'deleted', endedAtMs: nowMs };
  const exports = ledger.exports.map((dataExport) => (dataExport === found ? deleted : dataExport));
  return {
    ...ledgerChange({ ...ledger, exports }, addressOf),
    jobs: [{ type: 'export-data', payload: { exportId, file }, steps: [exportSteps.cleanUp] }],
  };
}

/** Ends the addresses of archives that somebody may no longer have; undefined if there are none. */
export function newAddressesChange(
  ledger: ExportLedger,
  isEnded: (dataExport: DataExport) => boolean,
  newKey: () => string,
  addressOf: AddressOf,
): Change | undefined {
  const replaces = (dataExport: DataExport): boolean =>
    dataExport.status === 'complete' && isEnded(dataExport);
  if (!ledger.exports.some(replaces)) return undefined;
  const exports = ledger.exports.map((dataExport) =>
    replaces(dataExport) ? { ...dataExport, addressKey: newKey() } : dataExport,
  );
  return ledgerChange({ ...ledger, exports }, addressOf);
}

function ledgerChange(ledger: ExportLedger, addressOf: AddressOf): { writes: Write[]; events: LogEvent[] } {
  const revision = ledger.revision + 1;
  return {
    writes: [
      {
        kind: 'put',
        item: { ...organizationKeys.exports(), ...ledger, revision },
        condition: { belowOrAbsent: { revision } },
      },
    ],
    events: exportEvents(ledger.exports, addressOf),
  };
}

/** Administrators get the whole list; owners get a second event when there are archives for owners only. */
function exportEvents(exports: DataExport[], addressOf: AddressOf): LogEvent[] {
  const forAll: AddressOf = (dataExport) => (isForOwners(dataExport) ? null : addressOf(dataExport));
  const payload = (address: AddressOf) => ({
    type: 'realm_export' as const,
    exports: exports.map((dataExport) => toExportRecord(dataExport, address)),
  });
  const events: LogEvent[] = [{ audience: { kind: 'administrators' }, payload: payload(forAll) }];
  if (exports.some((dataExport) => dataExport.status === 'complete' && isForOwners(dataExport)))
    events.push({ audience: { kind: 'owners' }, payload: payload(addressOf) });
  return events;
}

/** Only owners may request private data without consent, so only owners may download it. */
export const isForOwners = ({ type }: DataExport): boolean => type === 'full_without_consent';
