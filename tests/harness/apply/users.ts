import type { ReceivedEvent } from '../client.ts';
import { callPresenceBy, forgetPerson } from './presence.ts';
import { type Apply, ascending, type SnapshotData } from './snapshot-data.ts';

const byId = (a: SnapshotData, b: SnapshotData): number => a.user_id - b.user_id;

function applyUser(state: SnapshotData, { op, person }: ReceivedEvent): void {
  if (op === 'add' || op === 'remove') {
    if (op === 'remove') forgetRemoved(state, person);
    const isOther = ({ user_id }: SnapshotData): boolean => user_id !== person.user_id;
    for (const list of ['realm_users', 'realm_non_active_users']) state[list] = state[list].filter(isOther);
    const list = person.is_active ? 'realm_users' : 'realm_non_active_users';
    if (op === 'add') state[list] = [...state[list], person].sort(byId);
    return;
  }
  const everybody: SnapshotData[] = [
    ...state.realm_users,
    ...state.realm_non_active_users,
    ...state.cross_realm_bots,
  ];
  const record = everybody.find(({ user_id }) => user_id === person.user_id);
  if (!record) throw new Error(`Nobody told of user ${person.user_id}`);
  const { new_email, custom_profile_field: field, ...others } = person;
  const { user_id: _id, avatar_source: source, avatar_url_medium: _medium, ...fields } = others;
  // In lists of people a client computes the addresses of Gravatar itself, also its own user's.
  if (source === 'G') fields.avatar_url = null;
  if (field) applyProfileField(record, field);
  if (new_email !== undefined) callPresenceBy(state, record.email, new_email);
  Object.assign(record, fields, new_email !== undefined && { email: new_email });
  if ('role' in person) Object.assign(record, rightsOf(person.role));
  if ('is_active' in person) {
    if (!person.is_active) forgetPerson(state, record);
    state.realm_users = everybody.filter((one) => one.is_active && !one.is_system_bot).sort(byId);
    state.realm_non_active_users = everybody.filter((one) => !one.is_active).sort(byId);
  }
  if (person.user_id === state.user_id) applySelf(state, person);
}

/** Whoever goes out of sight takes along what was known of them. */
function forgetRemoved(state: SnapshotData, { user_id }: SnapshotData): void {
  const everybody: SnapshotData[] = [...state.realm_users, ...state.realm_non_active_users];
  const record = everybody.find((one) => one.user_id === user_id);
  if (record) forgetPerson(state, record);
}

const rightsOf = (role: number) => ({
  is_owner: role === 100,
  is_admin: role <= 200,
  is_guest: role === 600,
});

/** What register says of the caller at its top level follows from the person. */
function applySelf(state: SnapshotData, person: SnapshotData): void {
  const { new_email, delivery_email, full_name, avatar_source, avatar_url, avatar_url_medium, role } = person;
  if (new_email !== undefined) state.email = new_email;
  if (delivery_email !== undefined) state.delivery_email = delivery_email;
  if (full_name !== undefined) state.full_name = full_name;
  if (avatar_url_medium !== undefined) Object.assign(state, { avatar_source, avatar_url, avatar_url_medium });
  if (role === undefined) return;
  Object.assign(state, rightsOf(role), { is_moderator: role <= 300 });
}

function applyBot(state: SnapshotData, { op, bot }: ReceivedEvent): void {
  const found = state.realm_bots.find((one: SnapshotData) => one.user_id === bot.user_id);
  if (op === 'update') {
    // Who becomes an administrator is told of the bots of now: not of one that changed meanwhile and is gone.
    if (found) Object.assign(found, bot);
    return;
  }
  const others = state.realm_bots.filter((one: SnapshotData) => one !== found);
  state.realm_bots = (op === 'add' ? [...others, bot] : others).sort((a: SnapshotData, b: SnapshotData) =>
    ascending(a.user_id, b.user_id),
  );
}

function applyProfileField(record: SnapshotData, { id, ...said }: SnapshotData): void {
  if (said.value === null) delete record.profile_data[id];
  else record.profile_data[id] = said;
}

export const userEvents: Record<string, Apply> = {
  alert_words: (state, event) => {
    state.alert_words = event.alert_words;
  },
  realm_bot: applyBot,
  realm_user: applyUser,
};
