import { expect, test } from 'vitest';
import { startService } from '#infra/local/start.ts';
import { createStoppableClock } from '#infra/local/stoppable-clock.ts';
import { Client, EventQueue } from '#tests/harness/client.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { createChannel, createUsers, drainMessages, idsOf } from '#tests/harness/scene.ts';
import { Meter, PASSWORD, TestService } from '#tests/harness/service.ts';

const dataDir = temporaryFolder('restart');

/**
 * Starts the service at a time that is so far ahead, without a sweep that would deliver messages that the start
 * missed.
 */
async function start(aheadMs = 0): Promise<TestService> {
  const config = { pollHoldMs: 2_000, lookSchedule: [{ fromAgeMs: 0, everyMs: 20 }] };
  const clock = createStoppableClock();
  const nowMs = clock.nowMs.bind(clock);
  clock.nowMs = () => nowMs() + aheadMs;
  const options = { port: 0, dataDir, ownerPassword: PASSWORD, config, clock, sweepIntervalMs: null };
  return new TestService(await startService(options), new Meter());
}

test('A restart keeps accounts, channels, messages, scheduled messages and the queues of clients', async () => {
  const before = await start();
  const [ada, bo] = await createUsers(before, 'Ada', 'Bo');
  const { name, channelId } = await createChannel(before, [ada, bo]);
  const seen = await ada.send(name, 'topic', 'before the restart');
  const queue = await bo.register();
  const unseen = await ada.send(name, 'topic', 'not seen yet');
  const schedule = (seconds: number, content: string) =>
    ada.post('/scheduled_messages', {
      type: 'channel',
      to: channelId,
      topic: 'topic',
      content,
      scheduled_delivery_timestamp: Math.floor(before.services.clock.nowMs() / 1000) + seconds,
    });
  await schedule(60, 'due while the service was down');
  await schedule(3600, 'due in an hour');
  const snapshot = (await ada.register({ include_subscribers: true })).snapshot;
  await before.stop();

  const after = await start(120_000);
  expect(after.owner).toMatchObject({ userId: before.owner.userId, apiKey: before.owner.apiKey });
  const reborn = (client: Client) => new Client(after.url, client);
  const [ada2, bo2] = [reborn(ada), reborn(bo)];
  const survivor = new EventQueue(bo2, queue.snapshot);
  const messages = await drainMessages(survivor);
  while (messages.length < 2) {
    const events = await survivor.waitFor('message');
    messages.push(...events.flatMap(({ message }) => message ?? []));
  }
  expect(messages[0]).toMatchObject({ id: unseen, content: 'not seen yet' });
  expect(messages.slice(1)).toMatchObject([{ content: 'due while the service was down' }]);

  const fresh = (await ada2.register({ include_subscribers: true })).snapshot;
  for (const part of [
    'subscriptions',
    'streams',
    'realm_users',
    'user_settings',
    'recent_private_conversations',
  ])
    expect(fresh[part]).toEqual(snapshot[part]);
  expect(fresh.scheduled_messages).toMatchObject([{ content: 'due in an hour' }]);
  const { body } = await bo2.get('/messages', { anchor: seen, num_before: 0, num_after: 10 });
  expect(idsOf(body.messages)).toEqual([seen, unseen, messages[1]?.id]);

  const later = await ada2.send(name, 'topic', 'after the restart');
  expect(later).toBeGreaterThan(unseen);
  expect(idsOf(await drainMessages(survivor))).toEqual([later]);
});
