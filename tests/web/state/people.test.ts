import { describe, expect, test } from 'vitest';
import type { Snapshot } from '#web/state/wire.ts';
import type { Bot, Person, Presence, UserStatus } from '#web/state/wire-people.ts';
import { serverAfter, VIEWER } from '../scene.ts';

const person = (user_id: number, fields: Partial<Person> = {}): Person =>
  ({
    ...{ user_id, full_name: `Person ${user_id}`, email: `person${user_id}@example.com`, is_active: true },
    ...{ is_admin: false, is_owner: false, is_guest: false, role: 400, avatar_url: '/avatar' },
    ...fields,
  }) as Person;
const everyone: Partial<Snapshot> = {
  realm_users: [person(VIEWER), person(3), person(5)],
  realm_non_active_users: [person(4, { is_active: false })],
  cross_realm_bots: [person(90, { is_system_bot: true })],
  presences: {},
  user_status: {},
};
const LISTS = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const;
const idsOf = (server: Snapshot) => LISTS.map((name) => server[name].map(({ user_id }) => user_id));
const personEvent = (op: string, one: object) => ({ type: 'realm_user', op, person: one });
const update = (user_id: number, fields: object) => personEvent('update', { user_id, ...fields });

describe('A person', () => {
  test('Appears once, in the order of the ids, among the active or the inactive ones', () => {
    const after = serverAfter(
      everyone,
      personEvent('add', person(2)),
      personEvent('add', person(1, { is_active: false })),
      personEvent('add', person(5, { full_name: 'Again' })),
    );
    expect(idsOf(after)).toEqual([[2, 3, 5], [1, 4], [90]]);
    expect(after.realm_users.at(-1)).toEqual(person(5, { full_name: 'Again' }));
  });

  test('Leaves their list when they are gone, and no other person does', () => {
    expect(idsOf(serverAfter(everyone, personEvent('remove', { user_id: 3 })))).toEqual([
      [VIEWER, 5],
      [4],
      [90],
    ]);
    expect(idsOf(serverAfter(everyone, personEvent('remove', { user_id: 4 })))).toEqual([
      [VIEWER, 3, 5],
      [],
      [90],
    ]);
  });

  test('Changes in whichever list they are in, and no other person does', () => {
    const renamed = (id: number) => serverAfter(everyone, update(id, { full_name: 'New' }));
    const names = (list: Person[]) => list.map(({ full_name }) => full_name);
    expect(names(renamed(3).realm_users)).toEqual(['Person 1', 'New', 'Person 5']);
    expect(names(renamed(4).realm_non_active_users)).toEqual(['New']);
    expect(names(renamed(90).cross_realm_bots)).toEqual(['New']);
  });

  test('Changes lists on deactivation and reactivation', () => {
    const away = serverAfter(everyone, update(3, { is_active: false }));
    expect(idsOf(away)).toEqual([[VIEWER, 5], [3, 4], [90]]);
    const back = serverAfter(everyone, update(4, { is_active: true }));
    expect(idsOf(back)).toEqual([[VIEWER, 3, 4, 5], [], [90]]);
    expect(idsOf(serverAfter(everyone, update(90, { is_active: false })))).toEqual(
      idsOf(serverAfter(everyone)),
    );
  });

  test.each([
    [100, { is_owner: true, is_admin: true, is_guest: false }],
    [200, { is_owner: false, is_admin: true, is_guest: false }],
    [300, { is_owner: false, is_admin: false, is_guest: false }],
    [600, { is_owner: false, is_admin: false, is_guest: true }],
  ])('With the role %i has its rights', (role, rights) => {
    const before = { ...everyone, realm_users: [person(3, { is_admin: true, is_guest: true })] };
    expect(serverAfter(before, update(3, { role })).realm_users).toEqual([person(3, { role, ...rights })]);
  });

  test('Keeps their rights if their role is not the changed field', () => {
    const before = { ...everyone, realm_users: [person(3, { is_admin: true, role: 200 })] };
    const { realm_users } = serverAfter(before, update(3, { timezone: 'UTC' }));
    expect(realm_users).toEqual([person(3, { is_admin: true, role: 200, timezone: 'UTC' })]);
  });

  test('Has the new address, and the uploaded picture, or none if another site has it', () => {
    const changed = (fields: object) => serverAfter(everyone, update(3, fields)).realm_users[1];
    expect(changed({ new_email: 'new@example.com' })).toEqual(person(3, { email: 'new@example.com' }));
    const picture = { avatar_url: '/new', avatar_url_medium: '/medium', avatar_version: 2 };
    expect(changed({ avatar_source: 'U', ...picture })).toEqual(
      person(3, { avatar_url: '/new', avatar_version: 2 }),
    );
    expect(changed({ avatar_source: 'G', ...picture })).toEqual(
      person(3, { avatar_url: null, avatar_version: 2 }),
    );
  });

  test('Shows profile fields one by one, and loses a cleared field', () => {
    const field = (id: number, value: string | null) => update(3, { custom_profile_field: { id, value } });
    const profileOf = (...events: object[]) => serverAfter(everyone, ...events).realm_users[1]?.profile_data;
    expect(profileOf(field(7, 'Berlin'), field(8, 'dance'), field(7, 'Rome'))).toEqual({
      7: { value: 'Rome' },
      8: { value: 'dance' },
    });
    expect(profileOf(field(7, 'Berlin'), field(8, 'dance'), field(7, null))).toEqual({
      8: { value: 'dance' },
    });
    expect(serverAfter(everyone, field(7, 'x')).realm_users[1]).not.toHaveProperty('custom_profile_field');
  });
});

describe('The viewer', () => {
  const self = {
    email: 'person1@example.com',
    delivery_email: 'own@example.com',
    full_name: 'Person 1',
    avatar_url: '/avatar',
    avatar_source: 'U',
    is_owner: false,
    is_admin: false,
    is_moderator: false,
    is_guest: false,
  };
  const selfAfter = (fields: object, id = VIEWER) => {
    const server = serverAfter({ ...everyone, ...self } as Partial<Snapshot>, update(id, fields));
    return Object.fromEntries(
      [...Object.keys(self), 'avatar_url_medium'].map((name) => [name, Reflect.get(server, name)]),
    );
  };

  test.each([
    { given: { new_email: 'new@example.com' }, changed: { email: 'new@example.com' } },
    { given: { delivery_email: 'new@example.com' }, changed: { delivery_email: 'new@example.com' } },
    { given: { delivery_email: null }, changed: {} },
    { given: { full_name: 'New' }, changed: { full_name: 'New' } },
    {
      given: { avatar_source: 'G', avatar_url: '/new', avatar_url_medium: '/medium' },
      changed: { avatar_source: 'G', avatar_url: '/new', avatar_url_medium: '/medium' },
    },
    { given: { avatar_url: '/new' }, changed: {} },
    { given: { avatar_url_medium: '/medium' }, changed: {} },
    { given: { role: 100 }, changed: { is_owner: true, is_admin: true, is_moderator: true } },
    { given: { role: 200 }, changed: { is_admin: true, is_moderator: true } },
    { given: { role: 300 }, changed: { is_moderator: true } },
    { given: { role: 400 }, changed: {} },
    { given: { role: 600 }, changed: { is_guest: true } },
    { given: { timezone: 'UTC' }, changed: {} },
  ])('Gets their own data from $given', ({ given, changed }) => {
    expect(selfAfter(given)).toEqual({ ...self, avatar_url_medium: undefined, ...changed });
  });

  test('Does not change with another person', () => {
    const given = { full_name: 'New', role: 100, new_email: 'new@example.com' };
    expect(selfAfter(given, 3)).toEqual({ ...self, avatar_url_medium: undefined });
  });
});

describe('Presence and status', () => {
  const here: Presence = { active_timestamp: 5 };
  const busy: UserStatus = { status_text: 'busy' };
  const present: Partial<Snapshot> = {
    ...everyone,
    presences: { 3: here, 5: here, 'person3@example.com': here, 'person5@example.com': here },
    user_status: { 3: busy, 4: busy, 5: busy },
  };
  const keysOf = ({ presences, user_status }: Snapshot) => [
    Object.keys(presences).sort(),
    Object.keys(user_status),
  ];

  test.each([
    ['is gone', personEvent('remove', { user_id: 3 })],
    ['is deactivated', update(3, { is_active: false })],
  ])('Disappear if the person %s, and others stay', (_what, event) => {
    expect(keysOf(serverAfter(present, event))).toEqual([
      ['5', 'person5@example.com'],
      ['4', '5'],
    ]);
  });

  test.each([
    ['comes back', update(4, { is_active: true })],
    ['changes', update(3, { full_name: 'New' })],
  ])('Stay if the person %s', (_what, event) => {
    expect(keysOf(serverAfter(present, event))).toEqual(keysOf(serverAfter(present)));
  });

  test('Disappear as well if the person was away for long', () => {
    const before = { ...present, presences: { 4: here, 'person4@example.com': here } };
    expect(keysOf(serverAfter(before, personEvent('remove', { user_id: 4 })))).toEqual([[], ['3', '5']]);
  });

  test('Follow the address of their person, if they are stored by the address', () => {
    const { presences } = serverAfter(present, update(3, { new_email: 'new@example.com' }));
    expect(presences['new@example.com']).toEqual(here);
    expect(Object.keys(presences).sort()).toEqual(['3', '5', 'new@example.com', 'person5@example.com']);
    const unseen = serverAfter(everyone, update(3, { new_email: 'new@example.com' }));
    expect(unseen.presences).toEqual({});
  });

  test('Come by the id of a person, or in the older form by the address', () => {
    const now: Presence = { active_timestamp: 9 };
    const byId = serverAfter(present, { type: 'presence', presences: { 3: now } }).presences;
    expect(byId).toEqual({ ...present.presences, 3: now });
    const website = { status: 'active', timestamp: 9 };
    const event = {
      type: 'presence',
      email: 'person3@example.com',
      presence: { website: { ...website, pushable: false } },
    };
    expect(serverAfter(present, event).presences).toEqual({
      ...present.presences,
      'person3@example.com': { aggregated: website, website: { ...website, pushable: false } },
    });
    expect(serverAfter(present, { type: 'presence' }).presences).toEqual(present.presences);
  });

  const status = (fields: UserStatus, user_id = 3) => ({ type: 'user_status', user_id, ...fields });
  const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
  const none = { emoji_name: '', emoji_code: '', reaction_type: '' };

  test('Change only in the parts of the event', () => {
    const statusOf = (...events: object[]) => serverAfter(present, ...events).user_status;
    expect(statusOf(status(emoji))).toEqual({ 3: { ...busy, ...emoji }, 4: busy, 5: busy });
    expect(statusOf(status(emoji), status({ status_text: 'free' }))[3]).toEqual({
      ...emoji,
      status_text: 'free',
    });
    expect(statusOf(status(emoji), status({ status_text: '' }))[3]).toEqual(emoji);
    expect(statusOf(status(emoji), status(none))[3]).toEqual(busy);
    expect(statusOf(status({ away: true }))[3]).toEqual({ ...busy, away: true });
    expect(statusOf(status({ away: true }), status({ away: false }))[3]).toEqual(busy);
    expect(statusOf(status(busy, 7))[7]).toEqual(busy);
  });

  test('Disappear if nothing is left of them', () => {
    const after = serverAfter(present, status({ ...none, status_text: '', away: false }));
    expect(after.user_status).toEqual({ 4: busy, 5: busy });
  });
});

describe('Bots, for their owners,', () => {
  const bot = (user_id: number, fields: Partial<Bot> = {}): Bot =>
    ({ user_id, default_sending_stream: null, ...fields }) as Bot;
  const botsAfter = (...events: object[]) =>
    serverAfter({ realm_bots: [bot(4), bot(7)] }, ...events.map((event) => ({ type: 'realm_bot', ...event })))
      .realm_bots;
  const design = { default_sending_stream: 'design' };

  test('Come in the order of their ids, and once', () => {
    expect(botsAfter({ op: 'add', bot: bot(5) }, { op: 'add', bot: bot(4, design) })).toEqual([
      bot(4, design),
      bot(5),
      bot(7),
    ]);
  });

  test('Change and disappear by their ids', () => {
    const everything = { default_all_public_streams: true };
    expect(
      botsAfter(
        { op: 'update', bot: { user_id: 4, ...design } },
        { op: 'update', bot: { user_id: 4, ...everything } },
      ),
    ).toEqual([bot(4, { ...design, ...everything }), bot(7)]);
    expect(botsAfter({ op: 'delete', bot: { user_id: 4 } })).toEqual([bot(7)]);
  });

  test('Change nothing if the viewer does not know them', () => {
    expect(botsAfter({ op: 'update', bot: { user_id: 9, ...design } })).toEqual([bot(4), bot(7)]);
  });
});

test('The muted people of the viewer come from the last event', () => {
  const muted_users = [{ id: 3, timestamp: 9 }];
  const before = { muted_users: [{ id: 5, timestamp: 1 }] };
  expect(serverAfter(before, { type: 'muted_users', muted_users }).muted_users).toEqual(muted_users);
});
