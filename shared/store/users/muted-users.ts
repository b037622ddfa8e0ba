import type { MutedUsers } from '#shared/domain/users/muted-users.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** All users muted by the user. One read. */
export async function getMutedUsers(table: Table, userId: number): Promise<MutedUsers> {
  const item = (await table.find(userKeys.mutedUsers(userId))) as Partial<MutedUsers> | undefined;
  return { userId, revision: item?.revision ?? 0, mutedUsers: item?.mutedUsers ?? [] };
}
