import { describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { inSeconds, listScheduled, schedule } from './schedules.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const path = (id: number | string) => `/scheduled_messages/${id}`;
const missing = { status: 404 };

describe('Deleting a scheduled message', () => {
  test('Removes it from the list and notifies the sender only', async () => {
    const id = await schedule(ada, { to: room.channelId });
    const [adas, bos] = [await ada.listen(), await bo.listen()];
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
    expectRefusal(await ada.delete(path(id)), 'Scheduled message does not exist', missing);
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
    for (const client of [ada, service.owner])
      expectRefusal(await client.delete(path(id)), 'Scheduled message does not exist', missing);
    for (const nobodys of [99_999, 0, -1])
      expectRefusal(await ada.delete(path(nobodys)), 'Scheduled message does not exist', missing);
    expect(await listScheduled(bo)).toMatchObject([{ scheduled_message_id: id }]);
  });
});
