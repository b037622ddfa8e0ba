import { expect, test } from 'vitest';
import { endOfPosition } from '#shared/events/event-id.ts';
import { acknowledge } from '#shared/queues/cursor.ts';
import { getQueue } from '#shared/queues/queue.ts';
import { isAssigned, readCounter } from '#shared/store/log/log.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

test('An acknowledged event id is checked for half a read unit', async () => {
  const ada = await createUser(service, 'Ada');
  const { snapshot } = await ada.listen();
  await ada.sendDirect([ada.userId], 'one');
  const { table } = service.services;
  const position = await readCounter(table);
  const queue = await getQueue(service.services, ada.userId, snapshot.queue_id);
  service.meter.reset();
  const { ackedId } = await acknowledge(table, queue, endOfPosition(position));
  expect(ackedId).toBe(endOfPosition(position));
  expect(service.meter.read).toBe(0.5);
});

test('A position counts as assigned as soon as it is, also if a late copy of the counter lacks it', async () => {
  const { table } = withCalls(service.services, (real) => ({
    find: async (key, how) =>
      how?.eventually && key.pk.startsWith('COUNTER#') ? undefined : real.find(key, how),
  }));
  const position = await readCounter(table);
  expect(await isAssigned(table, position)).toBe(true);
  expect(await isAssigned(table, position + 1)).toBe(false);
});
