import { expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { Random } from '#tests/simulation/random.ts';

const ROUNDS = 25;
const STEPS = 6;
const SEEDS = [1, 2, 3];
/** The state that a client needs to compute unread messages. */
const UNREAD = {
  ...REQUEST,
  event_types: [
    'message',
    'update_message_flags',
    'subscription',
    'stream',
    'user_topic',
    'realm_user',
    'recent_private_conversations',
  ],
};

const service = await startTestService();

/** An action of a user on the owner's messages. */
async function step(reader: Client, channel: string, random: Random, ids: number[]): Promise<string> {
  const { owner } = service;
  const id = ids[random.between(0, ids.length - 1)] as number;
  const flags = (op: string) => reader.post('/messages/flags', { messages: [id], op, flag: 'read' });
  const acts: [name: string, act: () => Promise<unknown>][] = [
    ['leaves', () => reader.delete('/users/me/subscriptions', { subscriptions: [channel] })],
    [
      'leaves and is done with it',
      () =>
        reader.delete('/users/me/subscriptions', { subscriptions: [channel] }).then(() => service.settle()),
    ],
    ['comes back', () => reader.post('/users/me/subscriptions', { subscriptions: [{ name: channel }] })],
    ['gets a message', async () => ids.push(await owner.send(channel, 'topic', 'news'))],
    ['gets another', async () => ids.push(await owner.send(channel, 'topic', 'more'))],
    ['gets a direct message', async () => ids.push(await owner.sendDirect([reader.userId], 'you'))],
    ['reads all', () => reader.post('/mark_all_as_read')],
    [`reads ${id}`, () => flags('add')],
    [`unreads ${id}`, () => flags('remove')],
  ];
  const [name, act] = acts[random.between(0, acts.length - 1)] ?? ['', async () => {}];
  await act();
  return name;
}

test.each(SEEDS)(
  'A user who reads, unreads, leaves and returns gets an event of every change: seed %i',
  async (seed) => {
    const random = new Random(seed);
    const channel = `news ${seed}`;
    const reader = await service.createUser(`Reader${seed}`);
    await service.owner.subscribe(channel, { principals: [service.owner.userId, reader.userId] });
    const ids = [await service.owner.send(channel, 'topic', 'the first')];
    let queue = await reader.register(UNREAD);
    for (let round = 0; round < ROUNDS; round++) {
      const done: string[] = [];
      for (let n = 0; n < STEPS; n++) done.push(await step(reader, channel, random, ids));
      await service.settle();
      const replayed = applyEvents(queue.snapshot, await queue.drain());
      const fresh = await reader.register(UNREAD);
      expect(replayed.unread_msgs, done.join(', ')).toEqual(fresh.snapshot.unread_msgs);
      queue = fresh;
    }
  },
);
