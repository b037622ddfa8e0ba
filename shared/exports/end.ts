import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { endChange } from '#shared/domain/exports/changes.ts';
import type { DataExport } from '#shared/domain/exports/export.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getExports } from '#shared/store/exports.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import type { Write } from '#shared/table/table.ts';
import { loadAddresses } from './addresses.ts';
import type { ExportEnd } from './run.ts';

/** Stores the outcome of the export and notifies its requester. */
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
  const say = await textsFor(services, asked.actorId);
  const message = await composeBotDirect(services, notificationBotId, asked.actorId, announcement(end, say));
  const ended = {
    exportId: asked.exportId,
    endedAtMs: services.clock.nowMs(),
    file: 'file' in end ? end.file : undefined,
  };
  const change = endChange(ledger, ended, await loadAddresses(services), message);
  await commitMessage(services, { ...change, message, writes: [...change.writes, ...jobWrites] });
}

const announcement = (end: ExportEnd, say: Say): string =>
  'file' in end ? say('exports.complete') : say('exports.failed', { reason: end.reason });
