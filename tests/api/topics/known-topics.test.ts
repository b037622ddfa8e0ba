import { expect, test } from 'vitest';
import { raiseBySending } from '#shared/actions/topics/own-topics.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { getUser } from '#shared/store/users/users.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

test('A function caches the existence of up to ten thousand topics', async () => {
  const service = await startTestService();
  const { services, owner } = service;
  const { channelId } = await createChannel(service, [owner]);
  const [sender, channel] = [
    await getUser(services.table, owner.userId),
    await findChannel(services.table, channelId),
  ];
  const looked: string[] = [];
  const counting = withCalls(services, () => ({
    find: async ({ sk }) => {
      looked.push(sk.replace('TOPIC#', ''));
      return {};
    },
  }));
  const sendTo = (topic: string) =>
    raiseBySending(counting, sender, { channel: channel!, subscription: undefined, topic });
  for (const topic of ['first', 'second', 'first']) await sendTo(topic);
  expect(looked).toEqual(['first', 'second']);
  for (let n = 2; n < 10_000; n++) await sendTo(`topic ${n}`);
  await sendTo('first');
  expect(looked).toHaveLength(10_000);
  await sendTo('one more');
  expect(looked).toHaveLength(10_001);
  for (const topic of ['first', 'one more']) await sendTo(topic);
  expect(looked.slice(10_001)).toEqual(['first']);
  await service.stop();
});
