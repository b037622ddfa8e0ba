import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { engineAsked } from '#infra/local/table/engine-calls.ts';
import { keys } from '#shared/table/keys.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

/** As many as one write of the counter reserves positions for. */
const MESSAGES = 16;

let service: TestService;
/** What the engine was asked since the test began. */
let asked: string[];

const note = (operation: unknown): void => void asked.push(String(operation));

beforeAll(async () => {
  engineAsked.subscribe(note);
  asked = [];
  // As `npm start` runs it: with an engine of its own.
  service = await startTestService({}, { dynamodbEndpoint: undefined });
});
afterAll(async () => {
  await service.stop();
  engineAsked.unsubscribe(note);
});
beforeEach(() => service.rest());

test('a message asks the engine to keep its entry and its topic, and nothing that was read before', async () => {
  const { channelId } = await createChannel(service, [service.owner]);
  const send = () => service.owner.send(channelId, 'topic', 'text');
  // Answers when nothing is to be written of the topic.
  const findTopic = () => service.services.table.find(keys.topic(channelId, 'topic'));
  for (let n = 0; n < 2; n++) await send();
  await findTopic();
  await service.rest();
  asked = [];
  for (let n = 0; n < MESSAGES; n++) await send();
  const counts = Map.groupBy([...asked], (operation) => operation);
  await findTopic();
  expect(counts.get('PutItem')).toHaveLength(MESSAGES);
  // The topic each time at most, and the counter once.
  expect(counts.get('UpdateItem')?.length).toBeLessThanOrEqual(MESSAGES + 1);
  expect([...counts.keys()].sort()).toEqual(['PutItem', 'UpdateItem']);
});

test('a client that registers asks the engine to keep its queue, and nothing that was read before', async () => {
  await service.owner.register();
  await service.owner.register();
  await service.rest();
  asked = [];
  await service.owner.register();
  expect(asked).toEqual(['PutItem']);
});
