import type { Change } from '#shared/domain/change.ts';
import { deleteDraftWrite } from '#shared/domain/drafts/changes.ts';
import { commitSilently } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listForgottenDrafts } from '#shared/store/drafts.ts';

const DRAFTS_PER_TRANSACTION = 80;

/** Drafts that a user ceased to synchronize go out of the table; nobody sees them any more. */
export async function forgetDrafts(
  services: Services,
  { userId }: { userId: number },
): Promise<Change | undefined> {
  const left = await listForgottenDrafts(services.table, userId);
  for (let first = 0; first < left.length; first += DRAFTS_PER_TRANSACTION)
    await commitSilently(services, left.slice(first, first + DRAFTS_PER_TRANSACTION).map(deleteDraftWrite));
  return undefined;
}
