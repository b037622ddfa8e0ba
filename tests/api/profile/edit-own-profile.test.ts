import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { CHOICES, createField, expectForbidden, fieldOf, profileOf, say } from './fields.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
const bot = await service.createUser('Robot');
const gone = await service.createUser('Gone');
await service.makeBot(bot, member);
await service.deactivate(gone);
await service.settle();

const BIG = 'x'.repeat(1_000_000);

const edit = (client: Client, data: unknown) => client.patch('/users/me/profile_data', { data });

describe('Editing the own profile', () => {
  test('Shows the values of all types except users to everyone', async () => {
    const said: [number, object, string, object][] = [
      [1, {}, '**hi** <script>', { rendered_value: '<p><strong>hi</strong> &lt;script&gt;</p>' }],
      [2, {}, 'l'.repeat(500), { rendered_value: `<p>${'l'.repeat(500)}</p>` }],
      [1, {}, '𝒳'.repeat(50), { rendered_value: `<p>${'𝒳'.repeat(50)}</p>` }],
      [3, { field_data: CHOICES }, 'vim', {}],
      [4, {}, '2024-02-29', {}],
      [5, {}, 'https://example.com/a?b=c#d', {}],
      [7, { field_data: { subtype: 'custom', url_pattern: 'https://x.example/%(username)s' } }, 'ada', {}],
      [8, {}, 'she/her', {}],
    ];
    const memberIn = (users: { user_id: number; profile_data: unknown }[]) =>
      users.find(({ user_id }) => user_id === member.userId);
    const profile: Record<number, object> = {};
    for (const [field_type, params, value, more] of said) {
      const id = await createField(service.owner, { field_type, ...params });
      expect((await say(member, id, value)).status, `type ${field_type}`).toBe(200);
      profile[id] = { value, ...more };
    }
    for (const viewer of [member, guest, service.owner]) {
      expect(await profileOf(viewer, member.userId)).toEqual(profile);
      const { snapshot } = await viewer.register({ fetch_event_types: ['realm_user'] });
      expect(memberIn(snapshot.realm_users)?.profile_data).toEqual(profile);
    }
    expect((await member.get('/users/me')).body.profile_data).toEqual(profile);
    const { body } = await guest.get('/users', { include_custom_profile_fields: true });
    expect(memberIn(body.members)?.profile_data).toEqual(profile);
  });

  test('Stores a list of ids for a field of users, and sends it as text', async () => {
    const id = await createField(service.owner, { field_type: 6 });
    const queue = await guest.listen();
    await say(member, id, [guest.userId, member.userId]);
    const value = `[${guest.userId},${member.userId}]`;
    expect((await profileOf(guest, member.userId))[id]).toEqual({ value });
    const person = { user_id: member.userId, custom_profile_field: { id, value } };
    expect(await queue.drain()).toMatchObject([{ type: 'realm_user', op: 'update', person }]);
  });

  test('Sends one event for each field to every user, and none if nothing changes', async () => {
    const text = await createField(service.owner);
    const date = await createField(service.owner, { field_type: 4 });
    const queues = await listenAll([guest, service.owner]);
    const data = [
      { id: text, value: 'v' },
      { id: date, value: '2000-01-02' },
    ];
    for (let time = 1; time <= 2; time++) await edit(member, data);
    const [user_id, rendered_value] = [member.userId, '<p>v</p>'];
    for (const queue of queues)
      expect((await queue.drain()).map(({ person }) => person)).toEqual([
        { user_id, custom_profile_field: { ...data[0], rendered_value } },
        { user_id, custom_profile_field: data[1] },
      ]);
  });

  test('Removes a value by null, an empty text or an empty list', async () => {
    for (const nothing of [null, '', []]) {
      const id = await createField(service.owner);
      await say(member, id, 'v');
      const queue = await guest.listen();
      expect((await say(member, id, nothing)).status, JSON.stringify(nothing)).toBe(200);
      expect(await profileOf(guest, member.userId)).not.toHaveProperty(String(id));
      const received = (await queue.drain()).map(({ person }) => person.custom_profile_field);
      expect(received, JSON.stringify(nothing)).toEqual([{ id, value: null }]);
    }
  });

  test('Keeps the snapshot and the events of every user equal', async () => {
    const text = await createField(service.owner);
    const users = await createField(service.owner, { field_type: 6 });
    await expectConsistentSnapshot(service, [member, guest, service.owner], async () => {
      await say(member, text, 'first *words*');
      await say(guest, text, 'x');
      await say(service.owner, users, [member.userId]);
      await say(member, text, 'other words');
      await say(guest, text, null);
    });
  });

  test('Keeps the values of two simultaneous edits of different fields', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => createField(service.owner)));
    await expectConsistentSnapshot(service, [guest], async () => {
      const replies = await Promise.all(ids.map((id) => say(member, id, `in ${id}`)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    });
    const profile = await profileOf(guest, member.userId);
    for (const id of ids) expect(profile[id]?.value).toBe(`in ${id}`);
  });
});

describe('Editing the own profile is refused without any effect for', async () => {
  const other = await createField(service.owner);
  /** A new field, and data with an error in it together with a valid value of another. */
  const fieldToRefuse = async (params: object) => {
    const id = await createField(service.owner, { ...params });
    const { name } = await fieldOf(member, id);
    const refuse = async (value: unknown, text: string) => {
      const data = [
        { id: other, value: 'fine' },
        { id, value },
      ];
      const reply = await edit(member, data);
      expect(reply.status, String(value).slice(0, 80)).toBe(400);
      expectRefusal(reply, text);
    };
    return { name, refuse };
  };

  test('A value of the wrong form', async () => {
    const wrong: Record<number, [unknown, string][]> = {
      1: [
        ['x'.repeat(51), 'is too long (limit: 50 characters)'],
        [BIG, 'is too long (limit: 50 characters)'],
        [[1], 'is not a string'],
      ],
      2: [['x'.repeat(501), 'is too long (limit: 500 characters)']],
      4: [
        ['2023-02-29', 'is not a date'],
        ['2023-2-9', 'is not a date'],
        ['0000-01-01', 'is not a date'],
        ['2023-13-01', 'is not a date'],
        ['tomorrow', 'is not a date'],
      ],
      5: [
        ['example.com', 'is not a URL'],
        ['javascript:alert(1)', 'is not a URL'],
        ['http://', 'is not a URL'],
        ['https://a b', 'is not a URL'],
        [`https://example.com/${'x'.repeat(2000)}`, 'is not a URL'],
      ],
      6: [['[1]', 'is not a list']],
      8: [['x'.repeat(51), 'is too long (limit: 50 characters)']],
    };
    const before = await profileOf(member, member.userId);
    for (const [type, values] of Object.entries(wrong)) {
      const { name, refuse } = await fieldToRefuse({ field_type: Number(type) });
      for (const [value, msg] of values) await refuse(value, `${name} ${msg}`);
    }
    expect(await profileOf(member, member.userId)).toEqual(before);
  });

  test('An unknown choice', async () => {
    const before = await profileOf(member, member.userId);
    const { name, refuse } = await fieldToRefuse({ field_type: 3, field_data: CHOICES });
    for (const value of ['emacs', 'Vim', '__proto__', 'toString', ' vim'])
      await refuse(value, `'${value}' is not a valid choice for '${name}'.`);
    expect(await profileOf(member, member.userId)).toEqual(before);
  });

  test('Users who do not exist, are deactivated, are bots, or are too many', async () => {
    const before = await profileOf(member, member.userId);
    const { name, refuse } = await fieldToRefuse({ field_type: 6 });
    await refuse([member.userId, 99_999], 'Invalid user ID: 99999');
    await refuse([-1], 'Invalid user ID: -1');
    await refuse([gone.userId], `User with ID ${gone.userId} is deactivated`);
    await refuse([bot.userId], `User with ID ${bot.userId} is a bot`);
    const many = Array.from({ length: 501 }, (_, n) => n);
    await refuse(many, `${name} is too long (limit: 500 users)`);
    expect(await profileOf(member, member.userId)).toEqual(before);
  });

  test('More text than a profile may have in all', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 16; n++) ids.push(await createField(service.owner, { field_type: 5 }));
    const ada = await service.createUser('Ada');
    const data = ids.map((id) => ({ id, value: `https://example.com/${'x'.repeat(1970)}` }));
    expectRefusal(await edit(ada, data), 'The profile is too long');
    expect(await profileOf(ada, ada.userId)).toEqual({});
    expect((await edit(ada, data.slice(0, 12))).status).toBe(200);
  });

  test.each([
    ['[{"id":1,"value":5}]', 'data[0]["value"] is not a string'],
    ['[{"id":999999,"value":"x"}]', 'Field id 999999 not found.'],
  ])('Data like %j', async (data, msg) => {
    expectRefusal(await edit(member, data), msg);
  });
});

describe('A field that people may not edit themselves', () => {
  test('Can be edited by administrators and owners', async () => {
    const id = await createField(service.owner, { editable_by_user: false });
    const administrator = await service.createUser('Administrator', roles.administrator);
    for (const person of [administrator, service.owner]) {
      expect((await say(person, id, 'v')).status).toBe(200);
      expect((await profileOf(member, person.userId))[id]?.value).toBe('v');
    }
  });

  test('Cannot be edited by moderators, members and guests', async () => {
    const id = await createField(service.owner, { editable_by_user: false });
    for (const role of ['moderator', 'member', 'guest'] as const) {
      const person = await service.createUser('Person', roles[role]);
      for (const value of ['v', null]) expectForbidden(await say(person, id, value));
      expect(await profileOf(member, person.userId), role).toEqual({});
    }
  });
});

test('The last of several values for one field applies', async () => {
  const id = await createField(service.owner);
  const data = [
    { id, value: 'first' },
    { id, value: 'last' },
  ];
  await edit(member, data);
  expect((await profileOf(guest, member.userId))[id]?.value).toBe('last');
});

test('A change costs one transaction, whatever the number of fields', async () => {
  const ids = await Promise.all([createField(service.owner), createField(service.owner)]);
  const ada = await service.createUser('Ada');
  await service.settle();
  const data = ids.map((id) => ({ id, value: 'v' }));
  expect((await unitsOf(service, () => edit(ada, data))).write).toBe(7);
});
