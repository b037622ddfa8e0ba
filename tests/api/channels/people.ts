import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { keys } from '#shared/table/keys.ts';
import type { TestService } from '#tests/harness/service.ts';

const WRITES_PER_TRANSACTION = 100;

export const emailOf = (userId: number): string => `person${userId}@example.com`;

/** Many accounts at once, without passwords; nobody hears of them. */
export async function createPeople({ services }: TestService, count: number): Promise<number[]> {
  const { table, ids } = services;
  const last = await table.increment(keys.counter('user'), 'id', count);
  const userIds = Array.from({ length: count }, (_, n) => last - count + 1 + n);
  const writes = userIds.flatMap((userId) => {
    const fullName = `Person ${userId}`;
    return accountWrites(createAccount({ userId, email: emailOf(userId), fullName, nowSeconds: 0 }));
  });
  for (let start = 0; start < writes.length; start += WRITES_PER_TRANSACTION)
    await table.transact(writes.slice(start, start + WRITES_PER_TRANSACTION), ids.writeId());
  return userIds;
}
