import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { createQueue } from '#shared/queues/queue.ts';
import { readPollSlots } from '#shared/store/limits/poll-slots.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const PEOPLE = 25;
const QUEUES_OF_EACH = 20;
const READERS = PEOPLE * QUEUES_OF_EACH;
const PATIENCE_MS = 240_000;

const onlyMessages: QueueFilter = {
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: true,
  eventTypes: ['message'],
  allPublicChannels: false,
  narrow: [],
  capabilities: [],
};

const service = await startTestService({ pollHoldMs: PATIENCE_MS });
const people = await createUsers(service, ...Array.from({ length: PEOPLE }, () => 'Reader'));
const room = await createChannel(service, people as [Client, ...Client[]]);
await service.settle();

interface Reader {
  client: Client;
  queue_id: string;
  last_event_id: number;
}

/** Polls of all readers, which wait; each gives its events. */
async function beginPolls(readers: Reader[]): Promise<Promise<ReceivedEvent[]>[]> {
  const [first] = readers as [Reader];
  const { last_event_id: lastEventId } = first;
  const polls = readers.map(async (reader) => {
    const { client, queue_id, last_event_id } = reader;
    const { body } = await client.get('/events', { queue_id, last_event_id });
    reader.last_event_id = body.events.at(-1).id;
    return body.events as ReceivedEvent[];
  });
  const areWaiting = await Promise.all(people.map((client) => isWaiting(client, lastEventId)));
  expect(areWaiting).not.toContain(false);
  return polls;
}

/** Whether all polls of a person come to wait, and none of an earlier event. */
async function isWaiting({ userId }: Client, lastEventId: number): Promise<boolean> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (performance.now() < untilMs) {
    const slots = [...(await readPollSlots(service.services.table, { kind: 'person', userId })).values()];
    if (slots.filter((slot) => slot.lastEventId === lastEventId).length === QUEUES_OF_EACH) return true;
    await pause(50);
  }
  return false;
}

const writesOf = async (act: () => Promise<unknown>): Promise<number> => {
  await service.settle();
  return (await unitsOf(service, act)).write;
};

test(
  '500 waiting readers get each message once, and cause no additional writes',
  async () => {
    const [sender] = people as [Client];
    const send = (content: string) => sender.send(room.channelId, 'topic', content);
    await send('the first of its topic');
    const unitsAlone = await writesOf(() => send('alone'));
    const position = await readCounter(service.services.table);
    const readers: Reader[] = [];
    for (const client of people)
      for (let n = 0; n < QUEUES_OF_EACH; n++) {
        const of = { userId: client.userId, filter: onlyMessages, idleTimeoutSeconds: 600 };
        const { queueId, ackedId } = await createQueue(service.services, of, position);
        readers.push({ client, queue_id: queueId, last_event_id: ackedId });
      }
    for (const content of ['one', 'two']) {
      const polls = await beginPolls(readers);
      const sending = writesOf(() => send(content));
      const answers = await Promise.all(polls);
      const units = await sending;
      expect(answers).toHaveLength(READERS);
      for (const events of answers)
        expect(events.map(({ message }) => message.content)).toEqual([`<p>${content}</p>`]);
      expect(units).toBe(unitsAlone);
    }
  },
  PATIENCE_MS,
);
