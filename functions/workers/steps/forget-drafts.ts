import type { Change } from '#shared/domain/change.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import { deleteDraftWrite } from '#shared/domain/drafts/changes.ts';
import { commitSilently } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listForgottenDrafts } from '#shared/store/drafts.ts';

const DRAFTS_PER_TRANSACTION = 80;

/** Deletes drafts from the table after synchronization was turned off; they are invisible already. */
export async function forgetDrafts(
  services: Services,
  { userId }: { userId: number },
): Promise<Change | undefined> {
  const left = await listForgottenDrafts(services.table, userId);
  for (const some of chunksOf(left, DRAFTS_PER_TRANSACTION))
    await commitSilently(services, some.map(deleteDraftWrite));
  return undefined;
}
