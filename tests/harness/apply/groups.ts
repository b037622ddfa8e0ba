import type { ReceivedEvent } from '../client.ts';
import { type Apply, ascending, type SnapshotData } from './snapshot-data.ts';

const changed = (ids: number[], added: number[], removed: number[]): number[] =>
  [...new Set([...ids, ...added])].filter((id) => !removed.includes(id)).sort(ascending);

function applyGroup(state: SnapshotData, event: ReceivedEvent): void {
  const groups: SnapshotData[] = state.realm_user_groups;
  if (event.op === 'add') {
    state.realm_user_groups = [...groups, event.group].sort((a, b) => a.id - b.id);
    return;
  }
  const group = groups.find(({ id }) => id === event.group_id);
  if (!group) throw new Error(`No client knows the group of ${JSON.stringify(event)}`);
  const { user_ids: userIds = [], direct_subgroup_ids: groupIds = [] } = event;
  if (event.op === 'remove') state.realm_user_groups = groups.filter((one) => one !== group);
  else if (event.op === 'update') Object.assign(group, event.data);
  else if (event.op === 'add_members') group.members = changed(group.members, userIds, []);
  else if (event.op === 'remove_members') group.members = changed(group.members, [], userIds);
  else if (event.op === 'add_subgroups')
    group.direct_subgroup_ids = changed(group.direct_subgroup_ids, groupIds, []);
  else if (event.op === 'remove_subgroups')
    group.direct_subgroup_ids = changed(group.direct_subgroup_ids, [], groupIds);
  else throw new Error(`No client knows what to do with user_group/${event.op}`);
}

export const groupEvents: Record<string, Apply> = {
  user_group: applyGroup,
};
