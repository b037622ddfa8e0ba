import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { startTestService } from '#tests/harness/service.ts';

const SENDERS = 12;
const GRACE_MS = 20_000;
const dataDir = temporaryFolder('graceful-end');

const start = () => startTestService({}, { dataDir, secret: 'the secret of both starts' });

/** Why a request has no answer. */
const codeOf = (failure: unknown): string => {
  const { code, cause } = failure as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? String(failure);
};

test('A service that ends answers current requests, and stores no message without acknowledging it', async () => {
  const service = await start();
  const { owner } = service;
  const params = { type: 'direct', to: [owner.userId], content: 'note' };
  const acknowledged: number[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const send = async (): Promise<string> => {
    try {
      for (;;) {
        const { status, body } = await owner.post('/messages', params);
        if (status !== 200) return `status ${status}`;
        acknowledged.push(body.id);
        if (acknowledged.length > SENDERS) begin();
      }
    } catch (failure) {
      return codeOf(failure);
    }
  };
  const senders = Array.from({ length: SENDERS }, send);
  await begun;
  await service.service.stop(GRACE_MS);
  expect(new Set(await Promise.all(senders))).toEqual(new Set(['ECONNREFUSED']));
  const next = await start();
  const { body } = await next.owner.get('/messages', { anchor: 'newest', num_before: 5_000, num_after: 0 });
  const stored = body.messages.filter(({ content }: { content: string }) => content.includes('note'));
  expect(stored.map(({ id }: { id: number }) => id)).toEqual(acknowledged.sort((a, b) => a - b));
});

test('A poll that waits when the service ends gets a heartbeat', async () => {
  const service = await startTestService();
  const queue = await service.owner.listen({ event_types: ['message'] });
  const poll = service.owner.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId });
  await service.untilHeld(queue);
  await service.service.stop(GRACE_MS);
  const { status, body } = await poll;
  expect(status).toBe(200);
  expect(body.events).toMatchObject([{ type: 'heartbeat' }]);
});
