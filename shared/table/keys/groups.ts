import { chunkSortKey, ID_DIGITS, idSortKey, type Key } from './key.ts';

export const groupPartitions = { groups: () => 'GROUPS' };

export const groupPrefixes = { members: (groupId: number) => `${idSortKey(groupId)}#MEMBERS#` };

/** Whether the sort key among the groups belongs to a members item. */
export const isMembersKey = (sortKey: string): boolean => sortKey.length > ID_DIGITS;

export const groupKeys = {
  group: (groupId: number): Key => ({ pk: groupPartitions.groups(), sk: idSortKey(groupId) }),
  members: (groupId: number, chunk: number): Key => ({
    pk: groupPartitions.groups(),
    sk: `${groupPrefixes.members(groupId)}${chunkSortKey(chunk)}`,
  }),
  name: (canonicalName: string): Key => ({ pk: `GROUP_NAME#${canonicalName}`, sk: 'GROUP_NAME' }),
  graph: (): Key => ({ pk: 'GROUP_GRAPH', sk: 'GROUP_GRAPH' }),
  /** Until when the promotion of members to full members has been announced. */
  fullMembers: (): Key => ({ pk: 'FULL_MEMBERS', sk: 'FULL_MEMBERS' }),
};
