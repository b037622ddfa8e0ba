import { onServer, type Reducers } from './state.ts';
import type { Snapshot } from './wire.ts';
import type { EventOf, PersonChange, PresenceEvent } from './wire-events.ts';
import type { Bot, Person, Presence, ProfileValue, UserStatus } from './wire-people.ts';

const byId = (a: { user_id: number }, b: { user_id: number }): number => a.user_id - b.user_id;

function applyPerson(server: Snapshot, event: EventOf<'realm_user'>): Snapshot {
  const { user_id: userId } = event.person;
  if (event.op === 'add') return addPerson(removePerson(server, userId), event.person);
  if (event.op === 'remove') return removePerson(forgetPresence(server, userId), userId);
  const { person } = event;
  const all = [...server.realm_users, ...server.realm_non_active_users, ...server.cross_realm_bots];
  const before = all.find(({ user_id }) => user_id === person.user_id);
  if (!before) throw new Error(`The state has no user ${person.user_id}`);
  const after = changePerson(before, person);
  let next = person.new_email === undefined ? server : renamePresence(server, before.email, person.new_email);
  if (person.is_active === false) next = forgetPresence(next, person.user_id);
  next = before.is_system_bot
    ? replaceBot(next, before, after)
    : addPerson(removePerson(next, person.user_id), after);
  return person.user_id === server.user_id ? applySelf(next, person) : next;
}

function addPerson(server: Snapshot, person: Person): Snapshot {
  const list = person.is_active ? 'realm_users' : 'realm_non_active_users';
  return { ...server, [list]: [...server[list], person].sort(byId) };
}

function removePerson(server: Snapshot, userId: number): Snapshot {
  const isOther = ({ user_id }: Person): boolean => user_id !== userId;
  return {
    ...server,
    realm_users: server.realm_users.filter(isOther),
    realm_non_active_users: server.realm_non_active_users.filter(isOther),
  };
}

/** The service's own bots are in a list of their own, in the order of register. */
const replaceBot = (server: Snapshot, before: Person, after: Person): Snapshot => ({
  ...server,
  cross_realm_bots: server.cross_realm_bots.map((bot) => (bot === before ? after : bot)),
});

function changePerson(before: Person, change: PersonChange): Person {
  const { new_email, custom_profile_field: field, ...others } = change;
  const { avatar_source: source, avatar_url_medium: _medium, ...fields } = others;
  const after: Person = { ...before, ...fields };
  // In lists of people a client computes the addresses of Gravatar itself, also its own user's.
  if (source === 'G') after.avatar_url = null;
  if (new_email !== undefined) after.email = new_email;
  if (change.role !== undefined) Object.assign(after, rightsOf(change.role));
  if (field) after.profile_data = changeProfile(before.profile_data, field);
  return after;
}

function changeProfile(
  before: Person['profile_data'] = {},
  { id, ...said }: ProfileValue & { id: number },
): Record<string, ProfileValue> {
  const { [id]: _before, ...others } = before;
  return said.value === null ? others : { ...others, [id]: said };
}

const rightsOf = (role: number) => ({
  is_owner: role === 100,
  is_admin: [100, 200].includes(role),
  is_guest: role === 600,
});

/** What register says of the caller at its top level follows from the person. */
function applySelf(server: Snapshot, person: PersonChange): Snapshot {
  const { new_email, delivery_email, full_name, avatar_source, avatar_url, avatar_url_medium, role } = person;
  return {
    ...server,
    ...(new_email !== undefined && { email: new_email }),
    ...(delivery_email !== undefined && delivery_email !== null && { delivery_email }),
    ...(full_name !== undefined && { full_name }),
    ...(avatar_url_medium !== undefined &&
      avatar_url !== undefined && { avatar_source, avatar_url, avatar_url_medium }),
    ...(role !== undefined && { ...rightsOf(role), is_moderator: [100, 200, 300].includes(role) }),
  };
}

/** Of people that are gone clients show neither presence nor status. */
function forgetPresence(server: Snapshot, userId: number): Snapshot {
  const known = [...server.realm_users, ...server.realm_non_active_users];
  const email = known.find(({ user_id }) => user_id === userId)?.email ?? '';
  const { [userId]: _status, ...user_status } = server.user_status;
  const { [userId]: _presence, [email]: _legacy, ...presences } = server.presences;
  return { ...server, user_status, presences };
}

/** Old clients know presences by the address that is shown. */
function renamePresence(server: Snapshot, oldEmail: string, newEmail: string): Snapshot {
  const { [oldEmail]: presence, ...others } = server.presences;
  return presence === undefined ? server : { ...server, presences: { ...others, [newEmail]: presence } };
}

function applyBot(server: Snapshot, event: EventOf<'realm_bot'>): Snapshot {
  const isMeant = ({ user_id }: Bot): boolean => user_id === event.bot.user_id;
  // A new administrator receives the current bots, not one that changed meanwhile and is gone.
  if (event.op === 'update')
    return {
      ...server,
      realm_bots: server.realm_bots.map((bot) => (isMeant(bot) ? { ...bot, ...event.bot } : bot)),
    };
  const others = server.realm_bots.filter((bot) => !isMeant(bot));
  return { ...server, realm_bots: (event.op === 'add' ? [...others, event.bot] : others).sort(byId) };
}

/** Old clients keep presences by address, which they know from the event. */
function applyPresence(server: Snapshot, { presences, presence, email }: PresenceEvent): Snapshot {
  if (presences) return { ...server, presences: { ...server.presences, ...presences } };
  if (!presence || email === undefined) return server;
  const { pushable: _pushable, ...aggregated } = presence.website;
  const entry = { aggregated, website: presence.website } as Presence;
  return { ...server, presences: { ...server.presences, [email]: entry } };
}

function applyStatus(server: Snapshot, event: EventOf<'user_status'>): Snapshot {
  const { id: _id, type: _type, user_id: userId, ...changed } = event;
  const { [userId]: before, ...others } = server.user_status;
  const status: UserStatus = { ...before, ...changed };
  if (status.status_text === '') delete status.status_text;
  if (status.emoji_name === '') {
    delete status.emoji_name;
    delete status.emoji_code;
    delete status.reaction_type;
  }
  if (status.away === false) delete status.away;
  const isNothing = Object.keys(status).length === 0;
  return { ...server, user_status: isNothing ? others : { ...others, [userId]: status } };
}

export const peopleReducers = {
  realm_user: onServer(applyPerson),
  realm_bot: onServer(applyBot),
  presence: onServer(applyPresence),
  user_status: onServer(applyStatus),
  muted_users: onServer((server, event: Pick<Snapshot, 'muted_users'>) => ({
    ...server,
    muted_users: event.muted_users,
  })),
} satisfies Partial<Reducers>;

/** The service draws a pattern for people without a picture; letters say more. */
export const isStandIn = (address: string): boolean => /\/j\d+(?:-medium)?\.png(?:\?|$)/.test(address);
