import type { BotStorage } from '#shared/domain/users/bot-storage.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getBotStorage, storageWrite } from '#shared/store/bot-storage.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { StaleState } from './commit.ts';

/**
 * Changes what an account keeps, all of it or nothing; no client hears of it. One read and one write.
 * @throws StaleState where another request changed it meanwhile, and what `change` throws
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
    if (failure instanceof ConditionFailed) throw new StaleState();
    throw failure;
  }
}
