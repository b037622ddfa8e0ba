import { describe, expect, test } from 'vitest';
import { FIRST_KEY_VERSION } from '#shared/domain/users/create.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import { pollQueue } from '#shared/queues/poll.ts';
import { getQueue } from '#shared/queues/queue.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';
import type { Table } from '#shared/table/table.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
await bo.post('/users/me/alert_words', { alert_words: ['tide'] });

/** Counts the reads of the table that wait for each other: a read belongs to the round after the last one that had ended. */
function withRounds(services: Services): { counted: Services; rounds: () => number } {
  let ended = 0;
  const inRound = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    const round = ended + 1;
    const result = await read();
    ended = Math.max(ended, round);
    return result;
  };
  const counted = withCalls(
    services,
    (table): Partial<Table> => ({
      find: (...args) => inRound(() => table.find(...args)),
      findMany: (...args) => inRound(() => table.findMany(...args)),
      list: (...args) => inRound(() => table.list(...args)),
      page: (...args) => inRound(() => table.page(...args)),
    }),
  );
  return { counted, rounds: () => ended };
}

async function pollCounted(
  client: Client,
  queue: EventQueue,
): Promise<{ events: ShapedEvent[]; rounds: number }> {
  const { counted, rounds } = withRounds(service.services);
  const stored = await getQueue(service.services, client.userId, queue.queueId);
  const account = {
    ...(await getCurrentUser(service.services, client.userId)),
    keyVersion: FIRST_KEY_VERSION,
  };
  const events = await pollQueue(counted, stored, account, { lastEventId: queue.lastEventId, blocks: false });
  return { events, rounds: rounds() };
}

describe('A poll', () => {
  test('Loads the state that decides about a message in two rounds after it has read the log', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const sailors = { name: 'sailors', description: '', members: [bo.userId] };
    await service.owner.post('/user_groups/create', sailors);
    const queue = await bo.listen({ event_types: ['message'], narrow: [['is', 'followed']] });
    await bo.post('/user_topics', { stream_id: channelId, topic: 'sea', visibility_policy: 3 });
    await ada.post('/messages', { type: 'channel', to: name, topic: 'sea', content: '@*sailors* the tide' });
    const { events, rounds } = await pollCounted(bo, queue);
    expect(events).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
    expect(rounds).toBe(3);
  });

  test('Loads the state that decides about many channels in the same two rounds', async () => {
    const channels = [];
    for (let n = 0; n < 5; n++) channels.push(await createChannel(service, [ada]));
    const queue = await bo.listen({ event_types: ['subscription', 'stream'] });
    await bo.post('/users/me/subscriptions', { subscriptions: channels.map(({ name }) => ({ name })) });
    const { events, rounds } = await pollCounted(bo, queue);
    expect(events.length).toBeGreaterThan(0);
    expect(rounds).toBe(3);
  });
});
