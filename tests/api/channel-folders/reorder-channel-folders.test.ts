import { expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { foldersSeenBy, makeFolder } from './folder-calls.ts';

const service = await startTestService();

test('Folders keep the order that an administrator sets, archived ones included', async () => {
  const member = await createUser(service, 'Member');
  const made = [];
  for (let n = 0; n < 3; n++) made.push((await makeFolder(service.owner)).id);
  const [a = 0, b = 0, c = 0] = made;
  await service.owner.patch(`/channel_folders/${b}`, { is_archived: true });
  const queue = await member.listen({ event_types: ['channel_folder'] });
  const reorder = (order: unknown) => service.owner.patch('/channel_folders', { order });
  await expectConsistentSnapshot(service, [service.owner, member], async () => {
    expect((await reorder([c, a, b])).status).toBe(200);
  });
  expect(await queue.drain()).toEqual([
    { type: 'channel_folder', op: 'reorder', id: expect.any(Number), order: [c, a, b] },
  ]);
  expect((await foldersSeenBy(member)).map(({ id, order }) => [id, order])).toEqual([
    [c, 0],
    [a, 1],
  ]);
  await reorder([c, a, b]);
  expect(await queue.drain()).toEqual([]);
  for (const order of [[a, b], [a, b, c, c], [a, b, 99], []])
    expectRefusal(await reorder(order), 'Invalid order mapping.');
});
