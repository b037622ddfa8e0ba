import { t } from '#web/texts/texts.ts';
import { ascending } from './lists.ts';
import { onServer, type Reducers } from './state.ts';
import type { Snapshot } from './wire.ts';
import type { EventOf } from './wire-events.ts';
import type { Group, GroupValue } from './wire-people.ts';

type GroupEvent = EventOf<'user_group'>;

const changed = (ids: number[], added: number[], removed: number[]): number[] =>
  [...new Set([...ids, ...added])].filter((id) => !removed.includes(id)).sort(ascending);

function applyGroup(server: Snapshot, event: GroupEvent): Snapshot {
  const groups = server.realm_user_groups;
  if (event.op === 'add')
    return { ...server, realm_user_groups: [...groups, event.group].sort((a, b) => a.id - b.id) };
  if (event.op === 'remove')
    return { ...server, realm_user_groups: groups.filter(({ id }) => id !== event.group_id) };
  const group = groups.find(({ id }) => id === event.group_id);
  if (!group) throw new Error(`No client knows the group ${event.group_id}`);
  const next = changeGroup(group, event);
  return { ...server, realm_user_groups: groups.map((other) => (other === group ? next : other)) };
}

function changeGroup(group: Group, event: Exclude<GroupEvent, { op: 'add' | 'remove' }>): Group {
  const { members, direct_subgroup_ids: subgroups } = group;
  const { op } = event;
  switch (event.op) {
    case 'update':
      return { ...group, ...event.data };
    case 'add_members':
      return { ...group, members: changed(members, event.user_ids, []) };
    case 'remove_members':
      return { ...group, members: changed(members, [], event.user_ids) };
    case 'add_subgroups':
      return { ...group, direct_subgroup_ids: changed(subgroups, event.direct_subgroup_ids, []) };
    case 'remove_subgroups':
      return { ...group, direct_subgroup_ids: changed(subgroups, [], event.direct_subgroup_ids) };
    default:
      throw new Error(`No client knows what to do with user_group/${op}`);
  }
}

/** Read when they are shown: this module is loaded before the language of the page. */
const SYSTEM_NAMES: Record<string, () => string> = {
  'role:nobody': () => t('groupNames.noOne'),
  'role:owners': () => t('groupNames.owners'),
  'role:administrators': () => t('groupNames.administrators'),
  'role:moderators': () => t('groupNames.moderators'),
  'role:fullmembers': () => t('groupNames.fullMembers'),
  'role:members': () => t('groupNames.members'),
  'role:everyone': () => t('groupNames.everyoneGuestsIncluded'),
  'role:internet': () => t('groupNames.everyoneOnTheInternet'),
};

/** How people call a group. */
export const groupName = ({ name, is_system_group: isSystem }: Group): string =>
  (isSystem && SYSTEM_NAMES[name]?.()) || name;

/** Whether a person is in the value of a setting, directly or through a group. */
export function isInGroup(groups: Group[], userId: number, value: GroupValue): boolean {
  if (typeof value !== 'number')
    return (
      value.direct_members.includes(userId) ||
      value.direct_subgroups.some((id) => isInGroup(groups, userId, id))
    );
  const group = groups.find(({ id }) => id === value);
  if (!group) return false;
  return (
    group.members.includes(userId) || group.direct_subgroup_ids.some((id) => isInGroup(groups, userId, id))
  );
}

/** The people who are in a group by its subgroups alone, each with the subgroup of it that brings them first. */
export function inheritedMembers(groups: Group[], group: Group): Map<number, Group> {
  const found = new Map<number, Group>();
  const seen = new Set([group.id]);
  const collect = (within: Group, by: Group): void => {
    if (seen.has(within.id)) return;
    seen.add(within.id);
    for (const id of within.members) if (!group.members.includes(id) && !found.has(id)) found.set(id, by);
    for (const candidate of groups)
      if (within.direct_subgroup_ids.includes(candidate.id)) collect(candidate, by);
  };
  for (const candidate of groups)
    if (group.direct_subgroup_ids.includes(candidate.id)) collect(candidate, candidate);
  return found;
}

export const groupReducers = { user_group: onServer(applyGroup) } satisfies Partial<Reducers>;
