import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

function applyUser(state: SnapshotData, { person }: ReceivedEvent): void {
  state.realm_users = [...state.realm_users, person].sort((a, b) => a.user_id - b.user_id);
}

/** A person changed in one respect; the record and what register tells of oneself follow. */
function updateUser(state: SnapshotData, { person }: ReceivedEvent): void {
  const everybody = [...state.realm_users, ...state.realm_non_active_users];
  const record = everybody.find(({ user_id }: SnapshotData) => user_id === person.user_id);
  if (!record) return;
  const { user_id: _id, custom_profile_field: field, ...changed } = person;
  if (field) applyProfileField(record, field);
  for (const [name, value] of Object.entries(changed)) {
    record[name] = value;
    if (person.user_id === state.user_id && name in state) state[name] = value;
  }
}

function applyProfileField(record: SnapshotData, { id, ...said }: SnapshotData): void {
  if (said.value === null) delete record.profile_data[id];
  else record.profile_data[id] = said;
}

export const userEvents: Record<string, Apply> = {
  realm_user: (state, event) => (event.op === 'add' ? applyUser(state, event) : updateUser(state, event)),
};
