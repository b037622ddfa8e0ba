// The operations deleteScheduledMessage and listScheduledMessages.
import { describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { proves } from '#tests/conformance/proves.ts';
import { createChannel, createUsers, drainMessages, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectNotScheduled, HOUR, inSeconds, listScheduled, schedule } from './schedules.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const path = (id: number) => `/scheduled_messages/${id}`;

describe('Deleting a scheduled message', () => {
  test('Removes it from the list and notifies the sender only', async () => {
    const id = await schedule(ada, { to: room.channelId });
    const [adas, bos] = await listenAll([ada, bo]);
    const { status, body } = await ada.delete(path(id));
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expect(await listScheduled(ada)).toEqual([]);
    expect(await adas.drain()).toEqual([
      { id: expect.any(Number), type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect(await bos.drain()).toEqual([]);
  });

  test('Fails a second time, also at the same time', async () => {
    const id = await schedule(ada, { to: room.channelId });
    const replies = await Promise.all([1, 2, 3].map(() => ada.delete(path(id))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expectNotScheduled(await ada.delete(path(id)));
  });

  test('Prevents its delivery', async () => {
    const queue = await bo.listen();
    const soon = { to: room.channelId, scheduled_delivery_timestamp: inSeconds(300) };
    const ids = [await schedule(ada, soon), await schedule(ada, { ...soon, content: 'kept' })];
    await ada.delete(path(ids[0] ?? 0));
    service.advance(300_000);
    for (const scheduledMessageId of ids)
      await deliverScheduledMessage(service.services, { userId: ada.userId, scheduledMessageId });
    expect((await drainMessages(queue)).map(({ content }) => content)).toEqual(['kept']);
  });

  test('Keeps the snapshot exact', async () => {
    const ids = [
      await schedule(ada, { to: room.channelId }),
      await schedule(ada, { type: 'direct', to: [bo.userId] }),
    ];
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      for (const id of ids) await ada.delete(path(id));
    });
  });
});

describe('Deleting a scheduled message is refused', () => {
  test('If it does not exist or is another user’s, which stays', async () => {
    const id = await schedule(bo, { to: room.channelId });
    for (const client of [ada, service.owner]) expectNotScheduled(await client.delete(path(id)));
    for (const nobodys of [99_999, 0, -1]) expectNotScheduled(await ada.delete(path(nobodys)));
    expect(await listScheduled(bo)).toMatchObject([{ scheduled_message_id: id }]);
  });
});

test(
  'Users list their own scheduled messages by delivery time',
  proves('create-scheduled-message.21'),
  async () => {
    const at = inSeconds(HOUR);
    const late = await schedule(ada, { to: room.channelId, scheduled_delivery_timestamp: at + 20 });
    const early = await schedule(ada, { to: room.channelId, scheduled_delivery_timestamp: at });
    const toBo = { type: 'direct', to: [bo.userId], content: '*hi*' };
    const middle = await schedule(ada, { ...toBo, scheduled_delivery_timestamp: at + 10 });
    await schedule(bo, { to: room.channelId, scheduled_delivery_timestamp: at + 5 });
    const records = await listScheduled(ada);
    expect(records).toMatchObject([early, middle, late].map((id) => ({ scheduled_message_id: id })));
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
