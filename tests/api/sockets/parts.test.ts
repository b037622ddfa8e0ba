import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { pushAdded } from '#functions/sockets/push-events.ts';
import { restMsOf } from '#shared/domain/sockets/parts.ts';
import { pushToPart } from '#shared/queues/socket/push.ts';
import type { PartWork, Services } from '#shared/runtime/services.ts';
import { tableConnections } from '#shared/store/sockets/connections.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { socketKeys } from '#shared/table/keys/queues.ts';
import { startTestService } from '#tests/harness/service.ts';
import { FakeSockets } from './fake-sockets.ts';
import { withSocket } from './test-socket.ts';

const OF_PUSHER = 2;
const HOUR_MS = 3_600_000;

let sockets: FakeSockets;
/** A function of its own, whose time passes while it sleeps. */
let services: Services;

const service = await startTestService();
const ada = await service.createUser('Ada');
beforeEach(async () => {
  sockets = new FakeSockets();
  services = another();
  for (const { number } of await parts())
    for (const old of await connections().list(number)) await connections().remove(old);
  await service.services.table.write({ kind: 'delete', key: socketKeys.parts() });
});

/** One more process, which remembers nothing. */
function another(): Services {
  const { clock, config } = service.services;
  return {
    ...service.services,
    sockets: { url: sockets.url, post: (...text) => sockets.post(...text), end: (id) => sockets.end(id) },
    config: { ...config, socketsOfPusher: OF_PUSHER },
    clock: {
      nowMs: () => clock.nowMs(),
      sleep: async (delayMs, signal) => {
        if (signal) await once(signal, 'abort');
        else service.advance(delayMs);
      },
    },
  };
}

const connections = () => tableConnections(services);
const parts = () => connections().parts();
const sizes = async (): Promise<number[]> =>
  Promise.all((await parts()).map(async ({ number }) => (await connections().list(number)).length));

let opened = 0;
async function open(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `dealt-${++opened}=`);
  for (const id of ids) await sockets.open(services, id, await withSocket(ada));
  return ids;
}

const added = (position: number) => ({
  Records: [
    {
      dynamodb: {
        ApproximateCreationDateTime: services.clock.nowMs() / 1000,
        Keys: { sk: { S: logKeys.entry(position).sk } },
      },
    },
  ],
});
const say = (content: string): Promise<number> => ada.sendDirect([ada.userId], content);
const toldToAll = (ids: string[]): string[][] => ids.map((id) => sockets.toldTo(id));
const leave = async (ids: string[]): Promise<void> => {
  for (const id of ids) {
    const known = await connections().find(id);
    if (known) await connections().remove(known);
  }
};

describe('More sockets than one pusher has', () => {
  test('Have parts, and each gets every event once', async () => {
    const ids = await open(5);
    expect(await sizes()).toEqual([2, 2, 1]);
    await pushAdded(services, added(await say('to all parts')));
    await pushAdded(another(), added(await say('by another process')));
    expect(toldToAll(ids)).toEqual(ids.map(() => ['to all parts', 'by another process']));
  });

  test('Have as many parts as needed while clients come and go, and no event is lost or doubled', async () => {
    const early = await open(3);
    await pushAdded(services, added(await say('one')));
    const position = await say('two');
    // Opened after the entry, and before the pusher runs: these have it from the log.
    const late = await open(3);
    await pushAdded(services, added(position));
    expect(await sizes()).toEqual([2, 2, 2]);
    await leave(early);
    await pushAdded(services, added(await say('three')));
    expect(toldToAll(early)).toEqual(early.map(() => ['one', 'two']));
    expect(toldToAll(late)).toEqual(late.map(() => ['three']));
    const [next = ''] = await open(1);
    expect((await connections().find(next))?.part).toBeUndefined();
    await pushAdded(services, added(await say('four')));
    expect(sockets.toldTo(next)).toEqual(['four']);
  });

  test('Leave their part unused when its last connection must have ended', async () => {
    const [early = '', , last = ''] = await open(3);
    expect((await connections().find(last))?.part).toBe(1);
    await leave([last, early]);
    expect((await parts()).map(({ number }) => number)).toEqual([0]);
    service.advance(4 * HOUR_MS);
    await pushAdded(services, added(await say('later')));
    await open(1);
    service.meter.reset();
    expect(await parts()).toHaveLength(1);
    expect(service.meter.read).toBe(1);
  });

  test('Count against the limit of an account in all parts', async () => {
    const queue = await withSocket(ada);
    await open(2);
    await sockets.open(services, 'elder=', queue);
    await leave((await connections().list(0)).map(({ connectionId }) => connectionId));
    await pushAdded(services, added(await say('so that the sizes are right')));
    await sockets.open(services, 'newer=', queue);
    expect(sockets.ended).toEqual(['elder=']);
  });
});

describe('With pushers elsewhere', () => {
  let started: PartWork[];
  let havePushers: boolean;
  beforeEach(() => {
    started = [];
    havePushers = true;
    const pushElsewhere = async (work: PartWork) => {
      started.push(work);
      if (havePushers) await pushToPart(another(), work);
    };
    Object.assign(services.sockets ?? {}, { pushElsewhere });
  });

  test('One part is pushed to at once, without any', async () => {
    const ids = await open(2);
    await pushAdded(services, added(await say('few')));
    expect(started).toEqual([]);
    expect(toldToAll(ids)).toEqual([['few'], ['few']]);
  });

  test('The wake-up starts a pusher for each of several parts, which stays while the log grows', async () => {
    const ids = await open(3);
    const first = await say('first');
    await pushAdded(services, added(first));
    expect(started).toMatchObject([
      { part: { number: 0 }, upTo: first, isForAll: false, restMs: 250 },
      { part: { number: 1 }, upTo: first, isForAll: false, restMs: 250 },
    ]);
    expect(toldToAll(ids)).toEqual(ids.map(() => ['first']));
  });

  test('A pusher that stays sends later entries, and ends a while after the last one', async () => {
    const ids = await open(3);
    const [part] = await parts();
    const position = await say('woken for');
    const staying = another();
    const sleeps: number[] = [];
    let later: Promise<unknown> = Promise.resolve();
    const { sleep } = staying.clock;
    staying.clock.sleep = async (delayMs, signal) => {
      if (!signal) sleeps.push(delayMs);
      if (!signal && sleeps.length === 3) later = say('meanwhile');
      await later;
      await sleep(delayMs, signal);
    };
    expect(await pushToPart(staying, { part: part!, upTo: position, isForAll: false, restMs: 250 })).toBe(
      true,
    );
    expect(toldToAll(ids)).toEqual([['woken for', 'meanwhile'], ['woken for', 'meanwhile'], []]);
    const stayedMs = sleeps.reduce((sum, ms) => sum + ms, 0);
    expect(stayedMs).toBeGreaterThanOrEqual(15_000);
    expect(stayedMs).toBeLessThan(20_000);
    expect(await services.table.find(socketKeys.pusher())).toMatchObject({ claimedUntilMs: 0 });
  });

  test('A pusher that stays sends deferrable events after ten seconds', async () => {
    const bo = await service.createUser('Bo');
    const [id = ''] = await open(1);
    const [part] = await parts();
    const position = await say('before');
    const staying = another();
    let sleeps = 0;
    let later: Promise<unknown> = Promise.resolve();
    const { sleep } = staying.clock;
    const typed = () => bo.post('/typing', { type: 'direct', op: 'stop', to: [ada.userId] });
    staying.clock.sleep = async (delayMs, signal) => {
      if (!signal && ++sleeps === 2) later = typed();
      await later;
      await sleep(delayMs, signal);
    };
    await pushToPart(staying, { part: part!, upTo: position, isForAll: false, restMs: 1_000 });
    const sent = (sockets.texts.get(id) ?? [])
      .slice(1)
      .flatMap(({ events = [] }) => events.map(({ type }) => type));
    expect(sent).toEqual(['message', 'typing']);
  });

  test('A pusher that is at work is not started again, and one that has crashed is', async () => {
    await open(3);
    havePushers = false;
    const position = await say('slowly');
    const claimedUntilMs = services.clock.nowMs() + 10_000;
    const set = { position: position - 1, claimedUntilMs };
    await services.table.write({ kind: 'update', key: socketKeys.pusher(1), set });
    await expect(pushAdded(services, added(position))).rejects.toThrow('was not pushed');
    const ofSecond = started.filter(({ part }) => part.number === 1);
    expect(ofSecond.length).toBeGreaterThan(0);
    expect(started.filter(({ part }) => part.number === 0).length).toBeGreaterThan(ofSecond.length);
  });
});

test.each([
  [100, 250],
  [1_250, 250],
  [10_000, 2_000],
  [1_000_000, 4_000],
])(
  'With %i sockets a run begins %i ms after the one before, so that the gateway sends all texts',
  (count, ms) => {
    expect(restMsOf(count)).toBe(ms);
  },
);
