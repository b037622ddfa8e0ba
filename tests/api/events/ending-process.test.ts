import { expect, test } from 'vitest';
import { endWaitingPolls } from '#shared/queues/newest-poll.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService({ pollHoldMs: 600_000 });

test('A process that ends answers waiting and new polls, and loses no event', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const queue = await bo.listen({ event_types: ['message'] });
  const polling = queue.poll();
  await service.untilHeld(queue);
  endWaitingPolls(service.services);
  const heartbeats = (await polling).body.events;
  expect(heartbeats).toMatchObject([{ type: 'heartbeat' }]);
  queue.lastEventId = heartbeats[0].id;
  const next = (await queue.poll()).body.events;
  expect(next.every(({ type }: { type: string }) => type === 'heartbeat')).toBe(true);
  const id = await ada.sendDirect([bo.userId], 'still there');
  expect((await queue.poll()).body.events).toMatchObject([{ type: 'message', message: { id } }]);
});
