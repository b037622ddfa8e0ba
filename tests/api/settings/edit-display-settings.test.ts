// The operations editDisplaySettings, editNotificationSettings, markOnboardingStep and runZcommand.
import { expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const ada = await service.createUser('Ada');

test.each([
  ['/settings/display', 'twenty_four_hour_time'],
  ['/settings/notifications', 'enable_offline_push_notifications'],
])(
  'The earlier endpoint %s changes the same settings as PATCH /settings, and no others',
  async (path, name) => {
    const settingOf = async (client: Client) =>
      (await client.register({ fetch_event_types: ['user_settings'] })).snapshot.user_settings[name];
    const before = await settingOf(ada);
    const ofOwner = await settingOf(service.owner);
    await expectConsistentSnapshot(service, [ada, service.owner], async () => {
      const { status, body } = await ada.patch(path, { [name]: !before });
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    });
    expect(await settingOf(ada)).toBe(!before);
    expect(await settingOf(service.owner)).toBe(ofOwner);
  },
);

const mark = (params: Record<string, string>) => service.owner.post('/users/me/onboarding_steps', params);

test.each(['visibility_policy_banner', 'intro_inbox_view_modal', 'intro_resolve_topic'])(
  'The step %s is seen, and no step is left in the snapshot',
  async (onboarding_step) => {
    const { status, body } = await mark({ onboarding_step });
    expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    expect((await service.owner.register()).snapshot.onboarding_steps).toEqual([]);
  },
);

test('An unknown step is refused', async () => {
  expectRefusal(await mark({ onboarding_step: 'dance' }), 'Unknown onboarding_step: dance');
  const long = `Unknown onboarding_step: ${'x'.repeat(100)}`;
  expectRefusal(await mark({ onboarding_step: 'x'.repeat(5000) }), long);
});

const run = (command: string) => ada.post('/zcommand', { command });
const settingsOf = async () => (await ada.register()).snapshot.user_settings;

test('/ping changes nothing', async () => {
  const queue = await ada.listen();
  const { status, body } = await run('/ping');
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
  expect(await queue.drain()).toEqual([]);
});

test.each([
  ['/dark', 'color_scheme', 2],
  ['/light', 'color_scheme', 3],
  ['/night', 'color_scheme', 2],
  ['/day', 'color_scheme', 3],
  ['/fluid-width', 'fluid_layout_width', true],
  ['/fixed-width', 'fluid_layout_width', false],
])('%s sets %s to %s and says how to change it back', async (command, name, value) => {
  const queue = await ada.listen();
  await expectConsistentSnapshot(service, [ada], async () => {
    const { status, body } = await run(command);
    expect(status).toBe(200);
    expect(body.msg).toMatch(/^You now have .+ To change back, type `\/[a-z-]+`\.$/);
  });
  expect((await settingsOf())[name]).toBe(value);
  expect(await queue.drain()).toMatchObject([{ type: 'user_settings', op: 'update', property: name, value }]);
});

test('A command whose setting is in force already changes nothing', async () => {
  await run('/dark');
  const queue = await ada.listen();
  const { status, body } = await run('/dark');
  expect([status, body.msg]).toEqual([200, 'You already have the dark theme.']);
  expect(await queue.drain()).toEqual([]);
});

test('Other texts are refused', async () => {
  const before = await settingsOf();
  expectRefusal(await run('dark'), 'There should be a leading slash in the zcommand.');
  expectRefusal(await run('/dance'), 'No such command: dance');
  expectRefusal(await run('/constructor'), 'No such command: constructor');
  expectRefusal(await run(`/${'x'.repeat(100)}`), 'command is too long (limit: 100 characters)');
  expect(await settingsOf()).toEqual(before);
});
