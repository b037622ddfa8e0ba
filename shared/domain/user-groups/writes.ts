import { toCanonical } from '#shared/domain/names.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { memberChunkOf } from '#shared/table/keys/key.ts';
import type { Condition, Write } from '#shared/table/table.ts';
import type { Group } from './group.ts';

/**
 * Counts changes to which group names which, in settings or as a subgroup. A decision about this graph is
 * conditional on the count that it read, because two requests that are each valid could otherwise close a
 * cycle together.
 */
const unchangedGraph = (seen: number): Condition =>
  seen === 0 ? { belowOrAbsent: { revision: 1 } } : { equals: { revision: seen } };

export const graphChangeWrite = (seen: number): Write => ({
  kind: 'update',
  key: groupKeys.graph(),
  add: { revision: 1 },
  condition: unchangedGraph(seen),
});

/** Changes a group on condition that neither it nor its members have changed since it was loaded. */
export const groupWrite = (group: Group, set: Partial<Group> = {}): Write => ({
  kind: 'update',
  key: groupKeys.group(group.groupId),
  set: { ...set, revision: group.revision + 1 },
  condition: { equals: { revision: group.revision } },
});

export const nameWrite = (group: Pick<Group, 'groupId' | 'name'>): Write => ({
  kind: 'put',
  item: { ...groupKeys.name(toCanonical(group.name)), groupId: group.groupId },
  condition: { exists: false },
});

/**
 * Changes the list of a group's members: one write per part of the list. One expression cannot both add to a
 * set and remove from it, so such a part is rewritten from the previous members.
 */
export function groupMemberWrites(
  groupId: number,
  { add, delete: taken }: { add: number[]; delete: number[] },
  memberIds: ReadonlySet<number> = new Set(),
): Write[] {
  const [added, gone] = [Map.groupBy(add, memberChunkOf), Map.groupBy(taken, memberChunkOf)];
  return [...new Set([...added.keys(), ...gone.keys()])].map((chunk): Write => {
    const key = groupKeys.members(groupId, chunk);
    const [coming, leaving] = [added.get(chunk) ?? [], new Set(gone.get(chunk))];
    if (leaving.size === 0) return { kind: 'update', key, add: { userIds: new Set(coming) } };
    if (coming.length === 0) return { kind: 'update', key, take: { userIds: leaving } };
    const staying = [...memberIds].filter((id) => memberChunkOf(id) === chunk && !leaving.has(id));
    return { kind: 'update', key, set: { userIds: new Set([...staying, ...coming]) } };
  });
}
