import { endChange } from '#shared/domain/exports/changes.ts';
import type { DataExport } from '#shared/domain/exports/export.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getExports } from '#shared/store/exports.ts';
import { getOrganization } from '#shared/store/organization.ts';
import type { Write } from '#shared/table/table.ts';
import { composeBotDirect } from '../bot-message.ts';
import { commit } from '../commit.ts';
import { settleMessage } from '../send.ts';
import type { ExportEnd } from './run.ts';
import { loadTelling } from './telling.ts';

/** Writes down how the export ended, and tells whoever asked for it. */
export async function endExport(
  services: Services,
  asked: DataExport,
  end: ExportEnd,
  jobWrites: Write[],
): Promise<void> {
  const [ledger, { notificationBotId }] = await Promise.all([
    getExports(services.table),
    getOrganization(services.table),
  ]);
  const message = await composeBotDirect(services, notificationBotId, asked.actorId, announcement(end));
  const ended = {
    exportId: asked.exportId,
    endedAtMs: services.clock.nowMs(),
    file: 'file' in end ? end.file : undefined,
  };
  const change = endChange(ledger, ended, await loadTelling(services, ledger), message);
  const position = await commit(services, { ...change, writes: [...change.writes, ...jobWrites] });
  await settleMessage(services, message, position);
}

const announcement = (end: ExportEnd): string =>
  'file' in end
    ? 'Your data export is complete. [View and download exports](/#organization/data-exports-admin).'
    : `Your data export has failed. ${end.reason}`;
