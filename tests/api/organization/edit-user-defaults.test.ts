import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { settingCases } from '../settings/setting-values.ts';

const service = await startTestService();
const owner = service.owner;
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const cases = settingCases.filter(({ isPersonal }) => !isPersonal);
const initialDefaults = Object.fromEntries(cases.map(({ name, initial }) => [name, initial]));
const edit = (params: Params, by = owner) => by.patch('/realm/user_settings_defaults', params);
const registered = async (client: Client, type: string) =>
  (await client.register({ fetch_event_types: [type] })).snapshot;
const defaultsOf = async (client: Client) =>
  (await registered(client, 'realm_user_settings_defaults')).realm_user_settings_defaults;
const settingsOf = async (client: Client) => (await registered(client, 'user_settings')).user_settings;

describe('The default settings of new users', () => {
  test('Appear in register, without personal settings', async () => {
    expect(await defaultsOf(guest)).toEqual(initialDefaults);
  });

  test('Apply to users who join later; existing users keep theirs', async () => {
    const wanted = Object.fromEntries(cases.map(({ name, others }) => [name, others[0]]));
    await expectConsistentSnapshot(service, [owner, member, guest], () => edit(wanted));
    expect(await defaultsOf(guest)).toEqual(wanted);
    expect(await settingsOf(member)).toMatchObject({ color_scheme: 1, enter_sends: false });
    const late = await service.createUser('Late');
    expect(await settingsOf(late)).toMatchObject({ ...wanted, default_language: 'en', timezone: '' });
    await late.patch('/settings', { color_scheme: 1 });
    expect(await settingsOf(late)).toMatchObject({ ...wanted, color_scheme: 1 });
    await edit(initialDefaults);
    expect(await settingsOf(late)).toMatchObject({ ...wanted, color_scheme: 1 });
    expect(await settingsOf(await service.createUser('Later'))).toMatchObject({ enter_sends: false });
  });

  test('Send one event for each setting to every user, and none if nothing changes', async () => {
    const queue = await guest.listen();
    await edit({ emojiset: 'text', enter_sends: true });
    await edit({ emojiset: 'text', color_scheme: 1 });
    const received = (await queue.drain()).map(({ id: _id, ...event }) => event);
    const type = { type: 'realm_user_settings_defaults', op: 'update' };
    expect(received).toEqual([
      { ...type, property: 'emojiset', value: 'text' },
      { ...type, property: 'enter_sends', value: true },
    ]);
  });

  test('Keep all values that several requests set at once', async () => {
    await expectConsistentSnapshot(service, [guest], async () => {
      const replies = await Promise.all([
        edit({ color_scheme: 2 }),
        edit({ user_list_style: 3 }),
        owner.patch('/realm', { description: 'Meanwhile' }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    });
    expect(await defaultsOf(guest)).toMatchObject({ color_scheme: 2, user_list_style: 3 });
  });

  test('Refuse invalid values', async () => {
    const before = await defaultsOf(owner);
    for (const { name, wrong } of cases)
      for (const [value, msg] of wrong) {
        const reply = await edit({ [name]: value });
        expect(reply.status, name).toBe(400);
        expectRefusal(reply, msg);
      }
    expect(await defaultsOf(owner)).toEqual(before);
  });

  test('Exclude personal settings', async () => {
    const { body } = await edit({ timezone: 'UTC', default_language: 'de', full_name: 'X' });
    expect(body.ignored_parameters_unsupported.sort()).toEqual(['default_language', 'full_name', 'timezone']);
  });

  test('Use the language of the organization', async () => {
    await owner.patch('/realm', { default_language: 'de' });
    expect((await settingsOf(await service.createUser('German'))).default_language).toBe('de');
    expect((await settingsOf(member)).default_language).toBe('en');
    await owner.patch('/realm', { default_language: 'en' });
  });
});

describe('The right to edit the defaults', () => {
  test('Belongs to administrators', async () => {
    const administrator = await service.createUser('Administrator', roles.administrator);
    await edit({ web_font_size_px: 20 }, administrator);
    expect((await defaultsOf(owner)).web_font_size_px).toBe(20);
  });
});
