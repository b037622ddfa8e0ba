import { noStatus, type StoredStatus } from '#shared/domain/user-statuses/status.ts';
import { userKeys, userPartitions } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const toStatus = (item: Item): StoredStatus => {
  const stored = recordOf<StoredStatus>(item);
  return { ...noStatus(stored.userId), ...stored };
};

/** A user's status. One strongly consistent read. */
export async function getUserStatus(table: Table, userId: number): Promise<StoredStatus> {
  const item = await table.find(userKeys.status(userId));
  return item ? toStatus(item) : noStatus(userId);
}

/** For more users it costs less to read all statuses. */
const FEW = 100;

/** The statuses of active users among these; for many users, the statuses of all users are read. */
export async function listUserStatusesAmong(table: Table, userIds: number[]): Promise<StoredStatus[]> {
  if (userIds.length > FEW) return listUserStatuses(table);
  return (await table.findMany(userIds.map(userKeys.status))).map(toStatus).filter(({ isGone }) => !isGone);
}

/** The statuses of all active users who ever had one. */
export async function listUserStatuses(table: Table): Promise<StoredStatus[]> {
  const items = await table.list({ partition: userPartitions.statuses(), consistent: true });
  return items.map(toStatus).filter(({ isGone }) => !isGone);
}
