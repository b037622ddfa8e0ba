import { describe, expect, test } from 'vitest';
import { schedule } from '#tests/api/scheduled-messages/schedules.ts';
import type { Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listReminders, remind, soon } from './reminders.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

async function create(): Promise<number> {
  const message_id = await ada.sendDirect([bo.userId], 'hello');
  return remind(ada, { message_id, scheduled_delivery_timestamp: soon() });
}
const expectNone = (reply: Reply) => expectRefusal(reply, 'Reminder does not exist', { status: 404 });

describe('Deleting a reminder', () => {
  test('Removes it from the list and notifies its owner only', async () => {
    const id = await create();
    const [adas, bos] = await listenAll([ada, bo]);
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
    expectNone(await bo.delete(`/reminders/${id}`));
    expect((await ada.delete(`/reminders/${id}`)).status).toBe(200);
    const scheduled = await schedule(ada, { type: 'direct', to: [bo.userId], content: 'x' });
    for (const nobodys of [id, scheduled, 999_999, 0, -1])
      expectNone(await ada.delete(`/reminders/${nobodys}`));
  });
});
