import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStoppableClock } from '#infra/local/stoppable-clock.ts';
import { engineAsked } from '#infra/local/table/engine-calls.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
/** What happened, in order. */
let happened: string[];

const noteAsked = (operation: unknown): void => void happened.push(String(operation));

beforeAll(async () => {
  happened = [];
  engineAsked.subscribe(noteAsked);
  service = await startTestService(
    {},
    {
      dynamodbEndpoint: undefined,
      async around(operation, run) {
        const result = await run();
        happened.push(operation);
        return result;
      },
    },
  );
});
afterAll(async () => {
  engineAsked.unsubscribe(noteAsked);
  await service.stop();
});

test('a send is answered before its topic is written and before those who wait hear of it', async () => {
  const { channelId } = await createChannel(service, [service.owner]);
  const send = () => service.owner.send(channelId, 'topic', 'text');
  for (let n = 0; n < 2; n++) await send();
  await service.rest();
  const told = new Promise<void>((resolve) => {
    service.services.appends?.once('entry', () => {
      happened.push('told');
      resolve();
    });
  });
  happened = [];
  await send();
  await told;
  await service.rest();
  const after = happened.slice(happened.indexOf('sendMessage') + 1);
  expect(after.toSorted()).toEqual(['UpdateItem', 'told']);
});

test('of several sleepers that one signal wakes, each is done before the next begins', async () => {
  const clock = createStoppableClock();
  const waking = new AbortController();
  const steps: string[] = [];
  const sleepThenWork = async (name: string): Promise<void> => {
    await clock.sleep(60_000, waking.signal);
    for (let n = 0; n < 5; n++) {
      await null;
      steps.push(name);
    }
  };
  const all = ['a', 'b', 'c'].map(sleepThenWork);
  waking.abort();
  await Promise.all(all);
  expect(steps.join('')).toBe('aaaaabbbbbccccc');
});
