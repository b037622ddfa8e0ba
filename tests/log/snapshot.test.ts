import { expect, test } from 'vitest';
import { type Client, EventQueue } from '#tests/harness/client.ts';
import { takePosition } from '#tests/harness/log.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { aboutState, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';

const ROUNDS = 40;

const service = await startTestService();

/** Writes again and again. */
async function keepWriting(write: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await write(round);
}

/** A client with a 429 retries. */
async function registerPatiently(client: Client): Promise<EventQueue> {
  for (;;) {
    const { status, body } = await client.post('/register', REQUEST);
    if (status === 429) continue;
    expect(status, JSON.stringify(body)).toBe(200);
    return new EventQueue(client, body);
  }
}

/** Registers at least twice, and as long as others write; the last one may come when they are through. */
async function keepRegistering(writing: Promise<unknown>, client: Client): Promise<EventQueue[]> {
  let isOver = false;
  void writing.finally(() => {
    isOver = true;
  });
  const queues: EventQueue[] = [];
  while (!isOver || queues.length < 2) queues.push(await registerPatiently(client));
  return queues;
}

/** Each queue of a client turns its snapshot into a fresh one. */
async function expectSameState(client: Client, queues: EventQueue[]): Promise<void> {
  const { snapshot } = await registerPatiently(client);
  for (const queue of queues) {
    const events = await queue.drain();
    expect(aboutState(applyEvents(queue.snapshot, events))).toEqual(aboutState(snapshot));
  }
}

test('Every snapshot, taken while others write, equals a fresh one with the events that followed it', async () => {
  const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
  const guest = await createUser(service, 'Guest', 600);
  const open = await createChannel(service, [ada, cy, guest]);
  const secret = await createChannel(service, [ada, cy], { invite_only: true });
  const writing = Promise.all([
    keepWriting(async (round) => {
      if (round % 2 === 0) await bo.subscribe(open.name);
      else await bo.delete('/users/me/subscriptions', { subscriptions: [open.name] });
    }),
    keepWriting((round) =>
      round % 2 === 0
        ? ada.post('/users/me/subscriptions', {
            subscriptions: [{ name: secret.name }],
            principals: [bo.userId],
          })
        : bo.delete('/users/me/subscriptions', { subscriptions: [secret.name] }),
    ),
    keepWriting((round) => ada.send(round % 2 === 0 ? open.name : secret.name, `t${round % 3}`, 'x')),
    keepWriting((round) => cy.sendDirect(round % 2 === 0 ? [bo.userId] : [bo.userId, ada.userId], 'x')),
    keepWriting((round) =>
      bo.post('/scheduled_messages', {
        type: 'direct',
        to: [cy.userId],
        content: 'x',
        scheduled_delivery_timestamp: Math.floor(service.services.clock.nowMs() / 1000) + 5_000 + round,
      }),
    ),
  ]);
  const observers = [ada, bo, guest, service.owner];
  const registered = await Promise.all(observers.map((observer) => keepRegistering(writing, observer)));
  await service.settle();
  for (const [index, observer] of observers.entries())
    await expectSameState(observer, registered[index] ?? []);
});

test('A snapshot taken behind the hole of a dead writer is exact', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { name } = await createChannel(service, [ada]);
  await takePosition(service.services);
  await bo.subscribe(name);
  const during = await ada.send(name, 'topic', 'behind the hole');
  const queues = await Promise.all([ada, bo].map(registerPatiently));
  await ada.send(name, 'topic', 'after it');
  service.advance(1_100);
  for (const queue of queues) await expectSameState(queue.client, [queue]);
  const { snapshot } = await registerPatiently(bo);
  expect(snapshot.max_message_id).toBeGreaterThan(during);
});
