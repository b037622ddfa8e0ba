import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { listReminders, remind } from './reminders.ts';

let service: TestService;
let ada: Client;
let bo: Client;
beforeAll(async () => {
  service = await startTestService();
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
});
afterAll(() => service.stop());

test('Each user lists their own reminders by time, and no others', async () => {
  expect(await listReminders(ada)).toEqual([]);
  const messageId = await ada.sendDirect([bo.userId], 'hello');
  const now = Math.floor(Date.now() / 1000);
  const ids: number[] = [];
  for (const hours of [3, 1, 2])
    ids.push(await remind(ada, { message_id: messageId, scheduled_delivery_timestamp: now + hours * 3600 }));
  await remind(bo, { message_id: messageId, scheduled_delivery_timestamp: now + 3600 });
  const [third, first, second] = ids;
  expect((await listReminders(ada)).map((one: Params) => one.reminder_id)).toEqual([first, second, third]);
});

test('The list requires an active account', async () => {
  const anonymous = await ada.get('/reminders', {}, { headers: { authorization: '' } });
  expect(anonymous).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  const [gone] = await createUsers(service, 'Gone');
  await service.deactivate(gone);
  expect(await gone.get('/reminders')).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
});
