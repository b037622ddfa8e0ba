import type { Change } from '#shared/domain/change.ts';
import { deleteDraftWrite } from '#shared/domain/drafts/changes.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { writeSilently } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listForgottenDrafts } from '#shared/store/drafts.ts';

/** Deletes drafts from the table after synchronization was turned off; they are invisible already. */
export async function forgetDrafts(
  services: Services,
  { userId }: JobPayloads['forget-drafts'],
): Promise<Change | undefined> {
  const left = await listForgottenDrafts(services.table, userId);
  for (const draft of left) await writeSilently(services, deleteDraftWrite(draft));
  return undefined;
}
