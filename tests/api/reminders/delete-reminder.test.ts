import { describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listReminders, remind } from './reminders.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const create = async (): Promise<number> =>
  remind(ada, {
    message_id: await ada.sendDirect([bo.userId], 'hello'),
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
  });
const missing = { status: 404 };

describe('Deleting a reminder', () => {
  test('Removes it from the list and notifies its owner only', async () => {
    const id = await create();
    const [adas, bos] = [await ada.listen(), await bo.listen()];
    const { status, body } = await ada.delete(`/reminders/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expect(await listReminders(ada)).toEqual([]);
    expect(await adas.drain()).toEqual([
      { id: expect.any(Number), type: 'reminders', op: 'remove', reminder_id: id },
    ]);
    expect(await bos.drain()).toEqual([]);
  });

  test('Keeps the snapshot exact', async () => {
    const id = await create();
    await expectConsistentSnapshot(service, [ada, bo, service.owner], () => ada.delete(`/reminders/${id}`));
  });

  test('Fails a second time, and for reminders of others and scheduled messages', async () => {
    const id = await create();
    expectRefusal(await bo.delete(`/reminders/${id}`), 'Reminder does not exist', missing);
    expect((await ada.delete(`/reminders/${id}`)).status).toBe(200);
    const { body } = await ada.post('/scheduled_messages', {
      type: 'direct',
      to: [bo.userId],
      content: 'x',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
    });
    for (const one of [id, body.scheduled_message_id, 999_999, 0, -1])
      expectRefusal(await ada.delete(`/reminders/${one}`), 'Reminder does not exist', missing);
  });
});
