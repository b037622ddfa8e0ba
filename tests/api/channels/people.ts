import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { keys } from '#shared/table/keys.ts';
import type { TestService } from '#tests/harness/service.ts';

export const emailOf = (userId: number): string => `person${userId}@example.com`;

/** Many accounts at once, without passwords; nobody hears of them. */
export async function createPeople({ services }: TestService, count: number): Promise<number[]> {
  const { table } = services;
  const last = await table.increment(keys.counter('user'), 'id', count);
  const userIds = Array.from({ length: count }, (_, n) => last - count + 1 + n);
  for (const userId of userIds) {
    const fullName = `Person ${userId}`;
    const account = createAccount({ userId, email: emailOf(userId), fullName, nowSeconds: 0 });
    for (const write of accountWrites(account)) if (write.kind === 'put') await table.write(write);
  }
  return userIds;
}
