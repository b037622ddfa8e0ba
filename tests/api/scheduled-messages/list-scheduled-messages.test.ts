import { expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { HOUR, inSeconds, listScheduled, schedule } from './schedules.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

test(
  'Users list their own scheduled messages by delivery time',
  proves('create-scheduled-message.21'),
  async () => {
    const at = inSeconds(HOUR);
    const late = await schedule(ada, { to: room.channelId, scheduled_delivery_timestamp: at + 20 });
    const early = await schedule(ada, { to: room.channelId, scheduled_delivery_timestamp: at });
    const middle = await schedule(ada, {
      type: 'direct',
      to: [bo.userId],
      content: '*hi*',
      scheduled_delivery_timestamp: at + 10,
    });
    await schedule(bo, { to: room.channelId, scheduled_delivery_timestamp: at + 5 });
    const records = await listScheduled(ada);
    expect(records.map((one: { scheduled_message_id: number }) => one.scheduled_message_id)).toEqual([
      early,
      middle,
      late,
    ]);
    expect(records[1]).toEqual({
      scheduled_message_id: middle,
      type: 'private',
      to: [bo.userId],
      content: '*hi*',
      rendered_content: '<p><em>hi</em></p>',
      scheduled_delivery_timestamp: at + 10,
      failed: false,
    });
    expect(await listScheduled(service.owner)).toEqual([]);
  },
);

test('The empty topic is listed as empty', async () => {
  const [cy] = await createUsers(service, 'Cy');
  await schedule(cy, { to: room.channelId, topic: 'general chat' });
  expect(await listScheduled(cy)).toMatchObject([{ topic: '' }]);
});
