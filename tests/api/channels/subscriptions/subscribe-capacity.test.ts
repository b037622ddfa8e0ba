import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '#tests/api/channel-folders/folder-calls.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('A new channel costs its first subscriber 14.5 read and 31 write units, the note of the bot included', async () => {
  const { meter, owner } = service;
  meter.reset();
  const { status } = await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'costly' }] });
  await service.settle();
  expect(status).toBe(200);
  expect(meter.read).toBeLessThanOrEqual(14.5);
  expect(meter.write).toBeLessThanOrEqual(31);
});

test('A channel costs later subscribers the same inside a folder as outside', async () => {
  const { meter, owner } = service;
  const folder = await makeFolder(owner);
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const joinings = [];
  for (const [one, params] of [
    [ada, {}],
    [bo, { folder_id: folder.id }],
  ] as const) {
    const name = `of ${one.userId}`;
    await owner.subscribe(name, params);
    await service.settle();
    meter.reset();
    await one.subscribe(name);
    joinings.push({ read: meter.read, write: meter.write });
  }
  expect(joinings[1]).toEqual(joinings[0]);
});
