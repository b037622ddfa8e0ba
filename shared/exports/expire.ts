import { deletionChange } from '#shared/domain/exports/changes.ts';
import { listOverdue } from '#shared/domain/exports/export.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getExports } from '#shared/store/exports.ts';
import { loadAddresses } from './addresses.ts';

/** Deletes expired archives, as an administrator would. */
export async function expireExports(services: Services): Promise<void> {
  const nowMs = services.clock.nowMs();
  await withFreshState(services, async () => {
    for (;;) {
      const ledger = await getExports(services.table);
      const [overdue] = listOverdue(ledger, nowMs);
      if (!overdue) return;
      const addressOf = await loadAddresses(services);
      await commit(services, deletionChange(ledger, overdue.exportId, nowMs, addressOf));
    }
  });
}
