import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { settingCases } from './setting-values.ts';

const service = await startTestService();
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const initialSettings = Object.fromEntries(settingCases.map(({ name, initial }) => [name, initial]));

const edit = (client: Client, params: Params) => client.patch('/settings', params);
const settingsOf = async (client: Client) =>
  (await client.register({ fetch_event_types: ['user_settings'] })).snapshot.user_settings;

describe('Every setting', () => {
  test('Appears in register with its default, and nothing else does', async () => {
    const fresh = await settingsOf(await service.createUser('Fresh'));
    const { emojiset_choices, available_notification_sounds, ...settings } = fresh;
    expect(settings).toEqual(initialSettings);
    const emojiSets = ['google', 'twitter', 'text', 'google-blob'];
    expect(emojiset_choices.map(({ key }: { key: string }) => key)).toEqual(emojiSets);
    expect(available_notification_sounds).toEqual(expect.arrayContaining(['ding', 'zulip']));
  });

  test(
    'Takes each of its values, and its owner’s clients are notified',
    proves('event-queues.11'),
    async () => {
      const ada = await service.createUser('Ada');
      const queue = await ada.listen({ event_types: ['user_settings'] });
      const change = async (params: Params) => {
        const { status, body } = await edit(ada, params);
        expect(status, `${JSON.stringify(params)} ${JSON.stringify(body)}`).toBe(200);
        expect(body).toEqual({ result: 'success', msg: '' });
      };
      for (const { name, others } of settingCases)
        for (const value of others) await change({ [name]: value });
      await change(initialSettings);
      const received = (await queue.drain()).map(({ op, property, value }) => [op, property, value]);
      const alone = settingCases.flatMap(({ name, others }) =>
        others.map((value) => ['update', name, value]),
      );
      expect(received.slice(0, alone.length)).toEqual(alone);
      const together = Object.entries(initialSettings).map((setting) => ['update', ...setting]);
      expect(received.slice(alone.length).sort()).toEqual(together.sort());
    },
  );

  test('Keeps its value, and all of them together can be changed at once', async () => {
    const ada = await service.createUser('Ada');
    const wanted = Object.fromEntries(settingCases.map(({ name, others }) => [name, others[0]]));
    await expectConsistentSnapshot(service, [ada, member, guest, service.owner], () => edit(ada, wanted));
    const {
      emojiset_choices: _sets,
      available_notification_sounds: _sounds,
      ...settings
    } = await settingsOf(ada);
    expect(settings).toEqual(wanted);
    expect(await settingsOf(member)).toMatchObject({ web_font_size_px: 16, timezone: '' });
  });

  test('Refuses invalid values, and nothing changes', async () => {
    const before = await settingsOf(member);
    for (const { name, wrong } of settingCases) {
      const other = name === 'enter_sends' ? 'fluid_layout_width' : 'enter_sends';
      for (const [value, msg] of wrong) {
        const reply = await edit(member, { [other]: true, [name]: value });
        expect(reply.status, name).toBe(400);
        expectRefusal(reply, msg);
      }
    }
    expect(await settingsOf(member)).toEqual(before);
  });
});

describe('Changing settings', () => {
  test('To their current values sends and writes nothing', async () => {
    await edit(member, { color_scheme: 2 });
    const queue = await member.listen();
    const editToSame = () => edit(member, { color_scheme: 2, enter_sends: false, timezone: '' });
    expect((await editToSame()).status).toBe(200);
    expect((await unitsOf(service, editToSame)).write).toBe(0);
    expect(await queue.drain()).toEqual([]);
  });

  test('Costs one small transaction, however many they are', async () => {
    const ada = await service.createUser('Ada');
    await service.settle();
    const params = { color_scheme: 2, enter_sends: true, emojiset: 'text' };
    expect((await unitsOf(service, () => edit(ada, params))).write).toBe(5);
  });

  test('For other users is refused, and the caller’s own stay', async () => {
    const before = await settingsOf(service.owner);
    for (const target of [{ user_ids: [member.userId] }, { group_ids: [4], user_ids: [] }])
      for (const skip_if_already_edited of [true, false]) {
        const params = { color_scheme: 3, target_users: { ...target, skip_if_already_edited } };
        expectRefusal(await edit(service.owner, params), 'Settings of other users cannot be changed.');
      }
    expect(await settingsOf(service.owner)).toEqual(before);
  });

  const NOBODY = 'Either user_ids or group_ids must be provided.';
  const UNEXPECTED = 'Argument "all" at target_users is unexpected';
  test.each([
    [{ skip_if_already_edited: true }, NOBODY],
    [{ user_ids: [], group_ids: [], skip_if_already_edited: true }, NOBODY],
    [{ user_ids: [1], skip_if_already_edited: true, all: true }, UNEXPECTED],
  ])('To %j is refused with the reason', async (target_users, reason) => {
    const before = await settingsOf(service.owner);
    expectRefusal(await edit(service.owner, { color_scheme: 3, target_users }), reason);
    expect(await settingsOf(service.owner)).toEqual(before);
  });

  test('Sends no event to other users', async () => {
    const queues = await listenAll([guest, service.owner]);
    await edit(member, { web_home_view: 'recent', email_address_visibility: 1 });
    for (const queue of queues) expect(await queue.drain()).toEqual([]);
  });

  test('Includes the language, with its name', async () => {
    const queue = await guest.listen();
    await edit(guest, { default_language: 'fr' });
    expect(await queue.drain()).toMatchObject([
      { type: 'user_settings', property: 'default_language', value: 'fr', language_name: 'Français' },
    ]);
  });

  test('Sends every user the time zone, which is in the user’s record', async () => {
    const queue = await guest.listen({ event_types: ['realm_user', 'user_settings'] });
    await edit(member, { timezone: 'Asia/Tokyo' });
    const person = { user_id: member.userId, email: member.email, timezone: 'Asia/Tokyo' };
    expect(await queue.drain()).toEqual([
      { id: expect.any(Number), type: 'realm_user', op: 'update', person },
    ]);
    expect((await guest.get(`/users/${member.userId}`)).body.user.timezone).toBe('Asia/Tokyo');
    expect((await member.get('/users/me')).body.timezone).toBe('Asia/Tokyo');
    expect((await settingsOf(member)).timezone).toBe('Asia/Tokyo');
  });

  test('Sends administrators the consent to exports', async () => {
    const administrator = await createUser(service, 'Administrator', roles.administrator);
    const queues = await listenAll([administrator, guest]);
    await edit(member, { allow_private_data_export: true });
    const [own, others] = await Promise.all(queues.map((queue) => queue.drain()));
    expect(own).toMatchObject([{ type: 'realm_export_consent', user_id: member.userId, consented: true }]);
    expect(others).toEqual([]);
  });

  test('Sends old clients nothing in old forms', proves('event-queues.11'), async () => {
    const queue = await member.listen({ client_capabilities: { user_settings_object: false } });
    await edit(member, { twenty_four_hour_time: true, enable_sounds: false });
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['user_settings', 'user_settings']);
  });
});
