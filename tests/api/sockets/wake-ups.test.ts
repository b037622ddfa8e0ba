import { once } from 'node:events';
import { expect, test } from 'vitest';
import { answerSocket, forgetSocket } from '#functions/sockets/answer-socket.ts';
import { pushAdded } from '#functions/sockets/push-events.ts';
import { RequestCounter } from '#shared/api/request-limit.ts';
import { CLAIM_MS, claimPlace, toPlaceState } from '#shared/log/follow.ts';
import { pushEvents } from '#shared/queues/socket/push.ts';
import type { Services } from '#shared/runtime/services.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { SOCKETS_PARTITION, socketKeys } from '#shared/table/keys/queues.ts';
import { ASSUMED_SOCKET } from '#tests/bench/hour/transports.ts';
import { failsAt, READS } from '#tests/harness/failing-table.ts';
import { takePosition } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { FakeSockets } from './fake-sockets.ts';
import { withSocket } from './test-socket.ts';

/** A function of its own, whose time passes while it sleeps. */

const service = await startTestService();
const ada = await service.createUser('Ada');
const sockets = new FakeSockets();
const { clock } = service.services;
const services: Services = {
  ...service.services,
  sockets,
  clock: {
    nowMs: () => clock.nowMs(),
    sleep: async (delayMs, signal) => {
      if (signal) await once(signal, 'abort');
      else service.advance(delayMs);
    },
  },
};

let opened = 0;
async function open(): Promise<string> {
  const connectionId = `connection-${++opened}=`;
  await sockets.open(services, connectionId, await withSocket(ada));
  return connectionId;
}

/** The record of the table's stream after an entry was added. */
const added = (...positions: number[]) => addedAgo(0, ...positions);

/** The same some time later. */
const addedAgo = (agoMs: number, ...positions: number[]) => ({
  Records: positions.map((position) => ({
    dynamodb: {
      ApproximateCreationDateTime: (services.clock.nowMs() - agoMs) / 1000,
      Keys: { sk: { S: logKeys.entry(position).sk } },
    },
  })),
});

/** Ends with a promise, or with the signal, which it waits for alone from then on. */
async function firstOf(promise: Promise<void>, signal?: AbortSignal): Promise<void> {
  const aborted = signal && !signal.aborted ? once(signal, 'abort') : undefined;
  if (hasPassed) return void (await aborted);
  await Promise.race([promise, aborted]);
  hasPassed = true;
}
let hasPassed = false;

/** Sends, and returns the position of the message. */
const say = (content: string): Promise<number> => ada.sendDirect([ada.userId], content);

const claim = async (): Promise<void> => {
  const key = socketKeys.pusher();
  const state = toPlaceState(await services.table.find(key));
  expect(await claimPlace(services, key, state)).not.toBe('taken');
};

test('Events from during a pusher’s crash are pushed once its claim is over, by the next wake-up', async () => {
  const connection = await open();
  await pushAdded(services, added(await say('before')));
  await claim();
  await pushAdded(services, added(await say('meanwhile')));
  expect(sockets.toldTo(connection)).toEqual(['before', 'meanwhile']);
});

test('A pusher that works longer than a claim keeps it, and a crashed one is replaced after ten seconds', async () => {
  const connection = await open();
  const position = await say('slow');
  const posting = Promise.withResolvers<void>();
  const renewal = Promise.withResolvers<void>();
  const slow: Services = {
    ...services,
    sockets: {
      ...sockets,
      url: sockets.url,
      end: (id) => sockets.end(id),
      post: async (...text) => {
        await posting.promise;
        return sockets.post(...text);
      },
    },
    clock: { ...services.clock, sleep: (_delayMs, signal) => firstOf(renewal.promise, signal) },
  };
  const pushing = pushEvents(slow, position);
  const claimedUntilMs = async () => Number((await services.table.find(socketKeys.pusher()))?.claimedUntilMs);
  await expect.poll(claimedUntilMs).toBeGreaterThan(0);
  const first = await claimedUntilMs();
  expect(first).toBeLessThanOrEqual(services.clock.nowMs() + 10_000);
  service.advance(5_000);
  renewal.resolve();
  await expect.poll(claimedUntilMs).toBeGreaterThan(first);
  service.advance(first - services.clock.nowMs() + 1);
  expect(await pushEvents(services, position)).toBe(false);
  posting.resolve();
  expect(await pushing).toBe(true);
  expect(sockets.toldTo(connection)).toEqual(['slow']);
});

/** The pauses of a wake-up that fails because another pusher continues with its claim meanwhile. */
async function pausesBehindAnother(
  position: number,
  takenBy = (pauseMs: number) => pauseMs,
): Promise<number[]> {
  const pauses: number[] = [];
  let nowMs = services.clock.nowMs();
  const sleep = async (pauseMs: number): Promise<void> => {
    pauses.push(pauseMs);
    nowMs += takenBy(pauseMs);
    service.advance(takenBy(pauseMs));
    const set = { claimedUntilMs: nowMs + CLAIM_MS };
    await services.table.write({ kind: 'update', key: socketKeys.pusher(), set });
  };
  const busy = { ...services, clock: { nowMs: () => nowMs, sleep } };
  await expect(pushAdded(busy, added(position))).rejects.toThrow(`not pushed up to position ${position}`);
  return pauses;
}

test('A wake-up fails after twice the time of a claim, so that it is retried, if a pusher is still at work', async () => {
  const connection = await open();
  const position = await say('stuck');
  await claim();
  expect(await pausesBehindAnother(position)).toEqual([100, 200, 400, 800, 1_600, ...Array(9).fill(2_000)]);
  expect(sockets.toldTo(connection)).toEqual([]);
  await pushAdded(services, added(position));
  expect(sockets.toldTo(connection)).toEqual(['stuck']);
});

test('A wake-up that comes twice, or late, costs no write and sends nothing again', async () => {
  const connection = await open();
  const [first, second] = [await say('one'), await say('two')];
  await pushAdded(services, added(first, second));
  service.meter.reset();
  await pushAdded(services, added(first, second));
  await pushAdded(services, added(first));
  expect(service.meter.write).toBe(0);
  expect(sockets.toldTo(connection)).toEqual(['one', 'two']);
});

test('An entry behind a hole is pushed by its own wake-up, although the writer of the hole has crashed', async () => {
  const connection = await open();
  await services.table.increment(organizationKeys.counter('log'), 'position');
  await pushAdded(services, added(await say('behind a hole')));
  expect(sockets.toldTo(connection)).toEqual(['behind a hole']);
});

test('A replaced socket of a queue that could not be closed is closed by a later push', async () => {
  const queue = await withSocket(ada);
  await sockets.open(services, 'older=', queue);
  sockets.stuck.add('older=');
  await sockets.open(services, 'younger=', queue);
  expect(sockets.ended).not.toContain('older=');
  sockets.stuck.clear();
  await pushAdded(services, added(await say('for the younger')));
  expect([sockets.toldTo('older='), sockets.toldTo('younger=')]).toEqual([[], ['for the younger']]);
  expect(sockets.ended).toContain('older=');
});

test('A socket whose client must poll and that could not be closed is closed by a later push', async () => {
  sockets.refusals.push('busy');
  sockets.stuck.add('far behind=');
  await sockets.open(services, 'far behind=', await withSocket(ada));
  sockets.stuck.clear();
  await pushAdded(services, added(await say('not for it')));
  expect(sockets.toldTo('far behind=')).toEqual([]);
  expect(sockets.ended).toContain('far behind=');
});

test('A socket with more pending events than a few texts hold ends, and its client polls', async () => {
  const connection = await open();
  await pushAdded(services, added(await say('small')));
  const large: number[] = [];
  for (let n = 0; n < 36; n++) large.push(await say('é'.repeat(9_000)));
  await pushAdded(services, added(...large));
  expect(sockets.texts.get(connection)?.map(({ op }) => op)).toEqual(['opened', 'events', 'poll']);
  expect(sockets.toldTo(connection)).toEqual(['small']);
  expect(sockets.ended).toContain(connection);
});

test('A wake-up for an entry that does not appear waits, and then lets the next one begin at once', async () => {
  const connection = await open();
  let waitedMs = 0;
  const { clock } = services;
  const waiting: Services = {
    ...services,
    clock: {
      ...clock,
      sleep: async (delayMs, signal) => {
        if (!signal) waitedMs += delayMs;
        await clock.sleep(delayMs, signal);
      },
    },
  };
  const hole = await takePosition(services);
  expect(await pushEvents(waiting, hole)).toBe(false);
  expect(waitedMs).toBe(1_600);
  expect(await services.table.find(socketKeys.pusher())).toMatchObject({ claimedUntilMs: 0 });
  await pushAdded(services, added(await say('after the hole')));
  expect(sockets.toldTo(connection)).toEqual(['after the hole']);
});

test('Opening a socket and leaving it costs the units of the model', async () => {
  const queue = await withSocket(await service.createUser('Bo'));
  service.meter.reset();
  await sockets.open(services, 'counted=', queue);
  await forgetSocket(services, 'counted=');
  expect({ read: service.meter.read, write: service.meter.write }).toEqual(ASSUMED_SOCKET.visitUnits);
});

test('Without connections a wake-up reads once, and writes nothing', async () => {
  const others = await services.table.list({ partition: SOCKETS_PARTITION });
  for (const { connectionId } of others) await forgetSocket(services, String(connectionId));
  const position = await say('to no one');
  const units = await unitsOf(service, () => pushAdded(services, added(position)));
  expect(units).toEqual({ read: 1, write: 0 });
});

test('An ended connection is forgotten, and a nameless one is not looked up', async () => {
  const connection = await open();
  const all = () => services.table.list({ partition: SOCKETS_PARTITION, consistent: true });
  const before = (await all()).length;
  await forgetSocket(services, connection);
  expect(await all()).toHaveLength(before - 1);
  expect(await services.table.find(socketKeys.name(connection))).toBeUndefined();
  const { write } = await unitsOf(service, () => forgetSocket(services, 'never-opened='));
  expect(write).toBe(0);
});

test('A text that cannot be answered ends its connection silently, and the failure is thrown', async () => {
  const { services: failing } = failsAt(services, 1, READS);
  const { snapshot, lastEventId } = await withSocket(ada);
  const request = { op: 'open', token: snapshot.event_socket.token, last_event_id: lastEventId };
  const sent = { connectionId: 'failing=', text: JSON.stringify(request) };
  await expect(answerSocket(failing, sent, new RequestCounter())).rejects.toThrow('fails');
  expect(sockets.texts.get('failing=')).toBeUndefined();
  expect(sockets.ended).toContain('failing=');
});

test.each([
  [4096, 'answered', [{ op: 'pong' }]],
  [4097, 'refused', [expect.objectContaining({ op: 'closed', code: 'BAD_REQUEST' })]],
])('A text of %i bytes is %s, however much the gateway accepts', async (bytes, _what, answers) => {
  const connectionId = `long ${bytes}=`;
  const sent = { connectionId, text: JSON.stringify({ op: 'ping' }).padEnd(bytes) };
  await answerSocket(services, sent, new RequestCounter());
  expect(sockets.texts.get(connectionId)).toEqual(answers);
});
