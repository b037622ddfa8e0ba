// The operations editDisplaySettings and editNotificationSettings.
import { expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const member = await service.createUser('Member');

test.each([
  ['/settings/display', 'twenty_four_hour_time'],
  ['/settings/notifications', 'enable_offline_push_notifications'],
])(
  'The earlier endpoint %s changes the same settings as PATCH /settings, and no others',
  async (path, name) => {
    const settingOf = async (client: Client) =>
      (await client.register({ fetch_event_types: ['user_settings'] })).snapshot.user_settings[name];
    const before = await settingOf(member);
    const ofOwner = await settingOf(service.owner);
    await expectConsistentSnapshot(service, [member, service.owner], async () => {
      const { status, body } = await member.patch(path, { [name]: !before });
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
    });
    expect(await settingOf(member)).toBe(!before);
    expect(await settingOf(service.owner)).toBe(ofOwner);
  },
);
