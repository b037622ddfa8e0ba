import type { NotifierState } from '#shared/domain/push/changes.ts';
import type { PushDevices } from '#shared/domain/push/device.ts';
import { userKeys, userPartitions } from '#shared/table/keys/users.ts';
import type { Item, Table } from '#shared/table/table.ts';

export const toPushDevices = (userId: number, item: Item | undefined): PushDevices => {
  const { revision = 0, devices = [] } = (item ?? {}) as Partial<PushDevices>;
  return { userId, revision, devices };
};

/** All devices of the user. One read. */
export const getPushDevices = async (table: Table, userId: number): Promise<PushDevices> =>
  toPushDevices(userId, await table.find(userKeys.pushDevices(userId)));

/** All users with a device to notify. One query of 0.4 KB per hundred users. */
export async function listPushUserIds(table: Table): Promise<number[]> {
  const items = await table.list({ partition: userPartitions.pushUsers(), consistent: true });
  return items.flatMap(({ userIds }) => [...((userIds as Set<number> | undefined) ?? [])]);
}

/** The number of devices, and how far the log has been processed for them. */
export async function readNotifier(
  table: Table,
  options: { eventually?: boolean } = {},
): Promise<NotifierState & { position: number; claimedUntilMs: number }> {
  const item = await table.find(userKeys.notifier(), options);
  return {
    ...(item?.activeDevices !== undefined && { activeDevices: Number(item.activeDevices) }),
    position: Number(item?.position ?? 0),
    claimedUntilMs: Number(item?.claimedUntilMs ?? 0),
  };
}
