import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { TestService } from '#tests/harness/service.ts';

export const emailOf = (userId: number): string => `person${userId}@example.com`;

/** Many accounts at once, without passwords and events. Accounts that do nothing themselves need not sign in. */
export async function createPeople(
  { services }: TestService,
  count: number,
  { signIn = true } = {},
): Promise<number[]> {
  const last = await services.table.increment(organizationKeys.counter('user'), 'id', count);
  const userIds = Array.from({ length: count }, (_, n) => last - count + 1 + n);
  const writes = userIds.flatMap((userId) => {
    const fullName = `Person ${userId}`;
    const [account, ...user] = accountWrites(
      createAccount({ userId, email: emailOf(userId), fullName, nowSeconds: 0 }),
    );
    return signIn && account ? [account, ...user] : user;
  });
  await writeInBatches(services, writes);
  return userIds;
}
