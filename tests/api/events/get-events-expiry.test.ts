import { expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { EventQueue } from '#tests/harness/client.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const MINUTE_MS = 60_000;

const service = await startTestService();
const ada = await createUser(service, 'Ada');

const look = (queue: EventQueue) => queue.poll({ dont_block: true });

test(
  'A queue outlives its last poll by its idle timeout',
  proves('event-queues.2', 'event-queues.7'),
  async () => {
    const queue = await ada.register({ idle_queue_timeout: 300 });
    for (let n = 0; n < 2; n++) {
      service.advance(5 * MINUTE_MS);
      expect((await look(queue)).status).toBe(200);
    }
    service.advance(8 * MINUTE_MS);
    expectBadQueue(await look(queue), queue.queueId);
  },
);

test('A queue without a timeout of its own lives for ten minutes', proves('event-queues.4'), async () => {
  const [polled, forgotten] = [await ada.register(), await ada.register()];
  service.advance(10 * MINUTE_MS);
  expect((await look(polled)).status).toBe(200);
  service.advance(3 * MINUTE_MS);
  expectBadQueue(await look(forgotten), forgotten.queueId);
  expect((await look(polled)).status).toBe(200);
});

test(
  'A queue of a phone lives for twelve hours, and a queue for seven days on request',
  proves('event-queues.5', 'event-queues.6', 'register-queue.16'),
  async () => {
    const phone = await ada.register({ idle_queue_timeout: 'mobile' });
    const patient = await ada.register({ idle_queue_timeout: 7 * 24 * 3600 });
    service.advance(12 * 60 * MINUTE_MS);
    expect((await look(phone)).status).toBe(200);
    service.advance(12 * 60 * MINUTE_MS + 3 * MINUTE_MS);
    expectBadQueue(await look(phone), phone.queueId);
    service.advance(6 * 24 * 60 * MINUTE_MS - 3 * MINUTE_MS);
    expect((await look(patient)).status).toBe(200);
  },
);

test(
  'A queue that is polled lives on, and keeps its events meanwhile',
  proves('event-queues.3'),
  async () => {
    const queue = await ada.register({ event_types: ['message'], idle_queue_timeout: 120 });
    for (let round = 0; round < 5; round++) {
      const id = await service.owner.sendDirect([ada.userId], `round ${round}`);
      service.advance(2 * MINUTE_MS);
      expect((await queue.drain()).map(({ message }) => message.id)).toEqual([id]);
    }
  },
);

test('An expired queue can be neither deleted nor revived by polling', async () => {
  const queue = await ada.register({ idle_queue_timeout: 1 });
  service.advance(3 * MINUTE_MS);
  expectBadQueue(await ada.delete('/events', { queue_id: queue.queueId }), queue.queueId);
  for (let n = 0; n < 2; n++) expectBadQueue(await queue.poll(), queue.queueId);
});
