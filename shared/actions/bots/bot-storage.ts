import type { BotStorage } from '#shared/domain/users/bot-storage.ts';
import { writeSilently } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getBotStorage, storageWrite } from '#shared/store/users/bot-storage.ts';

/**
 * Changes the stored texts of an account atomically, without events. One read and one write.
 * @throws Conflict after a concurrent change, and what `change` throws
 */
export async function changeBotStorage(
  services: Services,
  userId: number,
  change: (storage: BotStorage) => BotStorage,
): Promise<void> {
  const kept = await getBotStorage(services.table, userId);
  await writeSilently(services, storageWrite(userId, kept, change(kept.storage)));
}
