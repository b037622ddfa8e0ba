import type { GroupGraph } from '#shared/domain/groups/graph.ts';
import type { Group } from '#shared/domain/groups/group.ts';
import { groupOfMembers, isMembersKey, keys, partitions, prefixes } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

const userIdsOf = (item: Item): number[] => [...((item.userIds as Set<number> | undefined) ?? [])];

/** How often it changed which group names which. Read before the groups themselves. */
export async function readGraphRevision(table: Table): Promise<number> {
  const item = await table.find(keys.groupGraph());
  return Number(item?.revision ?? 0);
}

/** Every group that somebody made, ascending by id, with its direct members. */
export async function listGroupGraph(table: Table): Promise<GroupGraph> {
  const items = await table.list({ partition: partitions.groups(), consistent: true });
  const groups = new Map<number, Group>();
  const members = new Map<number, Set<number>>();
  for (const item of items) {
    const sortKey = String(item.sk);
    const groupId = groupOfMembers(sortKey);
    if (isMembersKey(sortKey))
      members.set(groupId, new Set([...(members.get(groupId) ?? []), ...userIdsOf(item)]));
    else groups.set(groupId, item as unknown as Group);
  }
  return { groups, members };
}

/** The direct members of a group that somebody made, deactivated users included. */
export async function listDirectMemberIds(table: Table, groupId: number): Promise<Set<number>> {
  const items = await table.list({
    partition: partitions.groups(),
    prefix: prefixes.groupMembers(groupId),
    consistent: true,
  });
  return new Set(items.flatMap(userIdsOf));
}
