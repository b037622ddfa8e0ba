import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { POLLER_WORDS } from '#infra/poller/watch.ts';
import type { Client, EventQueue, Params } from '#tests/harness/client.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { RunningPoller, spawnPoller, throughDistribution } from '#tests/harness/poller/running-poller.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { WatchedEngine } from '#tests/harness/wire-engine/watched-engine.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { runNode } from '#tests/infra/run-node.ts';

await useWireEngine();

const project = temporaryFolder('poller');
const folder = join(project, 'dist');
const stale = join(folder, 'poller/stale.js');
const tableName = 'poller';
mkdirSync(dirname(stale), { recursive: true });
writeFileSync(stale, 'of an earlier build');
const buildRun = await runNode('infra/poller/build.ts', [], {}, project);
const service = await startTestService({}, { tableName, dynamodbEndpoint: engineEndpoint() });
const engine = await new WatchedEngine(engineEndpoint()).start();
const startPoller = () => RunningPoller.start({ folder, tableName, dynamodbEndpoint: engine.url });
let poller = await startPoller();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const others = await createUsers(service, 'Cy', 'Di', 'Ed', 'Flo');
const room = await createChannel(service, [ada, bo, ...others]);
afterAll(() => poller.end());

async function callEvents(
  method: string,
  client: Client,
  params: Params,
  headers: object = throughDistribution,
) {
  const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
  const sent = { authorization: client.authorization, ...headers };
  const reply = await fetch(`${poller.url}/events?${query}`, { method, headers: sent });
  const body = await reply.text();
  return { status: reply.status, headers: reply.headers, body: body && JSON.parse(body) };
}

const pollHere = (client: Client, { queueId, lastEventId }: EventQueue, params: Params = {}) =>
  callEvents('GET', client, { queue_id: queueId, last_event_id: lastEventId, ...params });

/** Waits until a condition holds that time alone brings about. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10);
}

test('The poller is built as one file with chunks, and the build reports the chunks that a start loads', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)"(\.\.?\/[^"]+\.js)"/g);
    for (const [, path = ''] of imports) load(join(dirname(file), path));
  };
  load(join(folder, 'poller/index.js'));
  expect(loaded.size).toBeGreaterThan(1);
  const bytes = [...loaded].reduce((sum, file) => sum + statSync(file).size, 0);
  expect(buildRun).toEqual({ status: 0, stdout: `${String(bytes).padStart(8)} poller\n`, stderr: '' });
  expect(existsSync(stale)).toBe(false);
});

describe('The poller as the process of a web function', () => {
  test('Sends a waiting client writes of other processes, as the service itself does', async () => {
    const queue = await bo.register();
    const polling = pollHere(bo, queue);
    const id = await ada.send(room.name, 'topic', 'wake up');
    const { status, body } = await polling;
    expect([status, body.result, body.queue_id]).toEqual([200, 'success', queue.queueId]);
    expect(body.events).toMatchObject([{ type: 'message', message: { id } }]);
    const again = await queue.poll({ dont_block: true });
    expect(again.body.events).toEqual(body.events);
  });

  test('Continues a queue of another process', async () => {
    const queue = await bo.register();
    const first = await ada.send(room.name, 'topic', 'first');
    const [event] = await queue.drain();
    expect(event).toMatchObject({ message: { id: first } });
    const second = await ada.send(room.name, 'topic', 'second');
    const params = { queue_id: queue.queueId, last_event_id: event?.id ?? 0 };
    const { body } = await callEvents('GET', bo, params);
    expect(body.events).toMatchObject([{ message: { id: second } }]);
  });

  test('Reads the log as often for twenty clients as for one', async () => {
    const looksOf = async (queues: EventQueue[]): Promise<number> => {
      const polls = queues.map((queue) => pollHere(queue.client, queue));
      await pause(500);
      const before = engine.looks;
      await pause(2_000);
      const looks = engine.looks - before;
      await ada.send(room.name, 'topic', 'enough');
      await Promise.all(polls);
      return looks;
    };
    const alone = await looksOf([await bo.register()]);
    const clients = others.flatMap((one) => Array.from({ length: 5 }, () => one));
    const queues = await Promise.all(clients.map((client) => client.register()));
    const together = await looksOf(queues);
    expect(alone).toBeGreaterThan(0);
    // Each of twenty readers for itself would look twenty times as often.
    expect(together).toBeLessThan(4 * alone);
  });

  test('Deletes a queue, and ends the poll that waits for it', async () => {
    const queue = await bo.register();
    const polling = pollHere(bo, queue);
    const looks = engine.looks;
    await until(() => engine.looks > looks);
    expect((await callEvents('DELETE', bo, { queue_id: queue.queueId })).body.result).toBe('success');
    expect((await polling).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('Answers the other methods of its path as the API does, and no other path', async () => {
    expect((await callEvents('OPTIONS', bo, {})).headers.get('access-control-allow-methods')).toContain(
      'GET',
    );
    expect((await callEvents('PUT', bo, {})).status).toBe(405);
    const elsewhere = await fetch(`${poller.url}/users/me`, { headers: throughDistribution });
    expect(elsewhere.status).toBe(404);
  });

  test('Refuses requests that did not come through the distribution', async () => {
    const queue = await bo.register();
    const params = { queue_id: queue.queueId, last_event_id: queue.lastEventId };
    for (const headers of [{}, { ...throughDistribution, 'x-origin-secret': 'a guess' }]) {
      const { status, body } = await callEvents('GET', bo, params, headers);
      expect([status, body.msg]).toEqual([404, 'This service is reached by another address']);
    }
  });

  test('Logs a defect that belongs to no request, and continues', async () => {
    poller.causeDefects();
    const lines = () => poller.output.join('').split('\n').filter(Boolean);
    await until(() => lines().length > 1);
    expect(lines().map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining(
        ['thrown', 'promised'].map((reason) =>
          expect.objectContaining({
            level: 'error',
            message: `${POLLER_WORDS.failure} beside its requests`,
            reason,
          }),
        ),
      ),
    );
    expect((await callEvents('PUT', bo, {})).status).toBe(405);
  });

  test('Does not start if Lambda does not give a port', async () => {
    const options = { folder, tableName, dynamodbEndpoint: engine.url };
    const child = spawnPoller(options, { AWS_LAMBDA_HTTP_ENDPOINT: '8080' });
    const [output, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      level: 'error',
      message: `${POLLER_WORDS.failure} to start`,
      reason: 'AWS_LAMBDA_HTTP_ENDPOINT must be host:port, not "8080"',
    });
  });

  // Last, because the process ends.
  test('Answers its polls with a heartbeat before it ends, and nothing is lost', async () => {
    const queues = [await bo.register(), await ada.register()] as const;
    const polls = [pollHere(bo, queues[0]), pollHere(ada, queues[1])];
    const looks = engine.looks;
    await until(() => engine.looks > looks + 1);
    expect(await poller.end()).toBe(0);
    for (const { body } of await Promise.all(polls))
      expect(body.events).toMatchObject([{ type: 'heartbeat' }]);
    const [{ body }] = (await Promise.all(polls)) as [Awaited<ReturnType<typeof callEvents>>, unknown];
    const id = await ada.send(room.name, 'topic', 'after the end');
    poller = await startPoller();
    const params = { queue_id: queues[0].queueId, last_event_id: body.events[0].id };
    expect((await callEvents('GET', bo, params)).body.events).toMatchObject([{ message: { id } }]);
  });
});
