import type { GroupGraph } from '#shared/domain/user-groups/graph.ts';
import type { Group } from '#shared/domain/user-groups/group.ts';
import { groupKeys, groupPartitions, groupPrefixes, isMembersKey } from '#shared/table/keys/groups.ts';
import { leadingId } from '#shared/table/keys/key.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const userIdsOf = (item: Item): number[] => [...((item.userIds as Set<number> | undefined) ?? [])];

/** The revision of the group graph. Read it before the groups. */
export async function readGraphRevision(table: Table): Promise<number> {
  const item = await table.find(groupKeys.graph());
  return Number(item?.revision ?? 0);
}

/** All custom groups, ascending by id, with their direct members. */
export async function listGroupGraph(table: Table): Promise<GroupGraph> {
  const items = await table.list({ partition: groupPartitions.groups(), consistent: true });
  const groups = new Map<number, Group>();
  const members = new Map<number, Set<number>>();
  for (const item of items) {
    const sortKey = String(item.sk);
    const groupId = leadingId(sortKey);
    if (isMembersKey(sortKey))
      members.set(groupId, new Set([...(members.get(groupId) ?? []), ...userIdsOf(item)]));
    else groups.set(groupId, recordOf<Group>(item));
  }
  return { groups, members };
}

/** The direct members of a custom group, deactivated users included. */
export async function listDirectMemberIds(table: Table, groupId: number): Promise<Set<number>> {
  const items = await table.list({
    partition: groupPartitions.groups(),
    prefix: groupPrefixes.members(groupId),
    consistent: true,
  });
  return new Set(items.flatMap(userIdsOf));
}
