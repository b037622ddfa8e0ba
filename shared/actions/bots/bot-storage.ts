import type { BotStorage } from '#shared/domain/users/bot-storage.ts';
import { Conflict } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getBotStorage, storageWrite } from '#shared/store/users/bot-storage.ts';
import { ConditionFailed } from '#shared/table/table.ts';

/**
 * Changes the stored texts of an account atomically, without events. One read and one write.
 * @throws Conflict after a concurrent change, and what `change` throws
 */
export async function changeBotStorage(
  { table }: Services,
  userId: number,
  change: (storage: BotStorage) => BotStorage,
): Promise<void> {
  const kept = await getBotStorage(table, userId);
  try {
    await table.write(storageWrite(userId, kept, change(kept.storage)));
  } catch (failure) {
    if (failure instanceof ConditionFailed) throw new Conflict();
    throw failure;
  }
}
