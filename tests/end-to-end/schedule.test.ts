import { afterAll, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { scheduleSoon } from '#tests/api/scheduled-messages/schedules.ts';
import { createChannel, createUsers, drainMessages, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

const nowSeconds = () => Math.floor(service.services.clock.nowMs() / 1000);

async function scene() {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { name, channelId } = await createChannel(service, [ada, bo]);
  const queues = [await ada.listen(), await bo.listen()];
  const planned = { type: 'channel', to: channelId, topic: 'topic', content: 'as planned' };
  const schedule = async (seconds: number) => {
    const { body } = await ada.post('/scheduled_messages', {
      ...planned,
      scheduled_delivery_timestamp: nowSeconds() + seconds,
    });
    return { userId: ada.userId, scheduledMessageId: body.scheduled_message_id as number };
  };
  /** Both got the message, as one and the same, once; a message afterwards proves that nothing is on its way. */
  const expectSeenOnceByBoth = async () => {
    const marker = await ada.send(name, 'topic', 'afterwards');
    const seen = await Promise.all(queues.map(drainMessages));
    for (const messages of seen)
      expect(messages.map(({ content }) => content)).toEqual(['as planned', 'afterwards']);
    expect(idsOf(seen[0] ?? [])).toEqual(idsOf(seen[1] ?? []));
    expect(seen[0]?.at(-1)?.id).toBe(marker);
    const { body } = await ada.get('/scheduled_messages');
    expect(body.scheduled_messages).toEqual([]);
  };
  return { ada, bo, queues, planned, schedule, expectSeenOnceByBoth };
}

test('A message scheduled a moment ahead is delivered by its schedule, and both users see it once', async () => {
  const { ada, queues, planned, expectSeenOnceByBoth } = await scene();
  const watcher = await queues[1]?.client.listen({ event_types: ['message'] });
  await scheduleSoon(ada, planned);
  await watcher?.waitFor('message');
  await expectSeenOnceByBoth();
});

test('A message with several simultaneous delivery calls is seen by both once', async () => {
  const { schedule, expectSeenOnceByBoth } = await scene();
  const delivery = await schedule(300);
  service.advance(300_000);
  const { services } = service;
  await Promise.all([1, 2, 3].map(() => deliverScheduledMessage(services, delivery)));
  await expectSeenOnceByBoth();
  await deliverScheduledMessage(services, delivery);
  await sweep(services);
});

test('A message with a lost schedule is delivered by the sweep, and both users see it once', async () => {
  const { schedule, expectSeenOnceByBoth } = await scene();
  const delivery = await schedule(300);
  await service.services.scheduler.remove(delivery);
  service.advance(300_000);
  await sweep(service.services);
  await Promise.all([sweep(service.services), deliverScheduledMessage(service.services, delivery)]);
  await expectSeenOnceByBoth();
});
