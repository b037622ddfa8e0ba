import { beforeEach, expect, test } from 'vitest';
import { pushAdded } from '#functions/sockets/push-events.ts';
import { ownConnections } from '#infra/local/sockets/own-connections.ts';
import { pushOwnEntries } from '#infra/local/sockets/push-own-entries.ts';
import { PATIENCE_MS } from '#shared/queues/socket/may-wait.ts';
import { pushEvents } from '#shared/queues/socket/push.ts';
import type { Services, Sockets } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { tableConnections } from '#shared/store/sockets/connections.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { failsAt, READS } from '#tests/harness/failing-table.ts';
import { moveLogTo } from '#tests/harness/log.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { inFunction } from '#tests/harness/privilege/least-privilege.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { Random } from '#tests/simulation/random.ts';
import { FakeSockets } from './fake-sockets.ts';
import { TestSocket, withSocket } from './test-socket.ts';

const service = await startTestService({}, { sockets: { limits: { patienceMs: 20 } } });
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
let sockets: FakeSockets;
/** Processes that push, none of which knows the memory of another. */
let processes: [Services, Services];

beforeEach(async () => {
  await forgetAll();
  sockets = new FakeSockets();
  processes = [processWith(), processWith()];
});

function processWith(connections?: Sockets['connections']): Services {
  const { url } = sockets;
  const post: Sockets['post'] = (...text) => sockets.post(...text);
  const end: Sockets['end'] = (id) => sockets.end(id);
  return { ...service.services, sockets: { url, post, end, ...(connections && { connections }) } };
}

/** A process that holds its connections itself. */
const ownProcess = () => processWith(ownConnections());

/** The connections of earlier tests are closed. */
async function forgetAll(): Promise<void> {
  const connections = tableConnections(service.services);
  for (const connection of await connections.list()) await connections.remove(connection);
}

let opened = 0;
async function open(client: Client, by = processes[0]): Promise<{ id: string; queue: EventQueue }> {
  const id = `patient-${++opened}=`;
  const queue = await withSocket(client);
  await sockets.open(by, id, queue);
  return { id, queue };
}

const types = (op: 'start' | 'stop', from: Client, to: Client) =>
  from.post('/typing', { type: 'direct', op, to: [to.userId] });
const position = (): Promise<number> => readCounter(service.services.table);
const push = async (by: 0 | 1 = 0, isForAll = false): Promise<void> => {
  expect(await pushEvents(processes[by], await position(), isForAll)).toBe(true);
};
/** The events of a connection in each text after the first, by type. */
const textsOf = (id: string): string[][] =>
  (sockets.texts.get(id) ?? []).slice(1).map(({ events = [] }) => events.map(nameOf));
const nameOf = ({ type, op }: { type?: string; op?: string }): string => (op ? `${type}/${op}` : `${type}`);

test('The end of typing is sent with the next message, in one text and in order', async () => {
  const { id } = await open(bo);
  await types('start', ada, bo);
  await push();
  await types('stop', ada, bo);
  await push();
  expect(textsOf(id)).toEqual([['typing/start']]);
  await ada.sendDirect([bo.userId], 'done');
  await push();
  expect(textsOf(id)).toEqual([['typing/start'], ['typing/stop', 'message']]);
});

test('Deferred events go by themselves to users who got nothing else, and to no others', async () => {
  const [bos, cys] = [await open(bo), await open(cy)];
  for (const hearer of [bo, cy]) await types('stop', ada, hearer);
  await push();
  await ada.sendDirect([cy.userId], 'for Cy');
  await push();
  await push(0, true);
  expect([textsOf(bos.id), textsOf(cys.id)]).toEqual([[['typing/stop']], [['typing/stop', 'message']]]);
});

test('Another process sends the remaining deferred events, and nothing twice', async () => {
  const [bos, cys] = [await open(bo), await open(cy)];
  await types('stop', ada, bo);
  await push(0);
  await types('stop', ada, bo);
  await types('start', ada, cy);
  await push(1);
  await ada.sendDirect([bo.userId], 'now');
  await push(0);
  await push(1, true);
  expect(textsOf(bos.id)).toEqual([['typing/stop', 'typing/stop', 'message']]);
  expect(textsOf(cys.id)).toEqual([['typing/start']]);
});

test('Deferred events that another process has sent are not sent again', async () => {
  const { id } = await open(bo);
  await types('stop', ada, bo);
  await push(0);
  await push(1, true);
  await ada.sendDirect([bo.userId], 'now');
  await push(0);
  expect(textsOf(id)).toEqual([['typing/stop'], ['message']]);
});

test('Deferred events that could not be posted are sent by the next run of the same process', async () => {
  const { id } = await open(bo);
  await types('stop', ada, bo);
  await push();
  sockets.refusals.push(new Error('The gateway does not answer'));
  await expect(push(0, true)).rejects.toThrow('The gateway does not answer');
  await push(0, true);
  expect(textsOf(id)).toEqual([['typing/stop']]);
});

test('The status of another person may be deferred, and the own one may not', async () => {
  const [own, other] = [await open(ada), await open(bo)];
  await ada.post('/users/me/status', { status_text: `away ${opened}` });
  await push();
  expect([textsOf(own.id), textsOf(other.id)]).toEqual([[['user_status']], []]);
  await push(0, true);
  expect([textsOf(own.id), textsOf(other.id)]).toEqual([[['user_status']], [['user_status']]]);
});

/** The record of an entry in the table's stream, so long after it was added. */
const toldAgo = (agoMs: number, position: number) => {
  const ApproximateCreationDateTime = (service.services.clock.nowMs() - agoMs) / 1000;
  const Keys = { sk: { S: logKeys.entry(position).sk } };
  return { Records: [{ dynamodb: { ApproximateCreationDateTime, Keys } }] };
};

test('A late reader of the stream sends deferred events, and finds nothing to do otherwise', async () => {
  const { id } = await open(bo);
  await types('stop', ada, bo);
  const added = await position();
  await pushAdded(processes[0], toldAgo(0, added));
  expect(textsOf(id)).toEqual([]);
  const readLate = () => pushAdded(processes[1], toldAgo(PATIENCE_MS, added));
  await readLate();
  expect(textsOf(id)).toEqual([['typing/stop']]);
  expect(await unitsOf(service, readLate)).toEqual({ read: 2, write: 0 });
});

test('Each connection gets the same events as a poll of its queue, in any order of steps', async () => {
  const random = new Random(104);
  for (let round = 0; round < 12; round++) {
    const connections = [await open(ada), await open(bo), await open(cy)];
    const everyone = [ada, bo, cy];
    for (let n = 0; n < 12; n++) {
      const from = random.pick(everyone);
      const to = random.pick(everyone.filter((person) => person !== from));
      if (random.chance(0.3)) await from.sendDirect([to.userId], `message ${round} ${n}`);
      else await types(random.pick(['start', 'stop', 'stop'] as const), from, to);
      const [by, other] = random.pick([[0, 1] as const, [1, 0] as const]);
      if (random.chance(0.6)) await push(by, random.chance(0.15));
      if (random.chance(0.15)) await push(other, true);
    }
    await push(random.pick([0, 1] as const), true);
    for (const { id, queue } of connections) {
      const pushed = (sockets.texts.get(id) ?? []).flatMap(({ events = [] }) => events);
      expect(pushed).toEqual(await queue.drain());
    }
    await forgetAll();
  }
});

test('A service of its own sends deferred events by itself after a while', async () => {
  const socket = await TestSocket.open(await withSocket(bo));
  await types('stop', ada, bo);
  await socket.until(() => socket.events.length > 0);
  expect(socket.events.map(nameOf)).toEqual(['typing/stop']);
});

test('A service of its own whose push failed sends everything by the next one, and ends no connection', async () => {
  // So many entries are not pushed one by one to later connections.
  await moveLogTo(service.services, (await position()) + 200);
  let failures = 0;
  for (; ; failures++) {
    const own = ownProcess();
    const { id } = await open(bo, own);
    await types('start', ada, bo);
    const { services: failing, hasFailed } = failsAt(own, failures + 1, READS);
    const pushing = pushEvents(failing, await position());
    await pushing.catch(({ message }) => expect(message).toMatch(/^The call \w+ fails$/));
    if (!hasFailed()) break;
    await expect(pushing).rejects.toThrow();
    expect(await pushEvents(own, await position())).toBe(true);
    expect(textsOf(id)).toEqual([['typing/start']]);
  }
  expect(failures).toBeGreaterThan(5);
  expect(sockets.ended).toEqual([]);
});

test('A service of its own sends nothing more to a connection that it failed to end, and ends it later', async () => {
  const own = ownProcess();
  const { id } = await open(bo, own);
  await open(service.owner, own);
  await types('start', ada, bo);
  sockets.stuck.add(id);
  sockets.refusals.push('busy');
  const sleep = async (_ms: number, signal?: AbortSignal) => {
    // The claim is not renewed meanwhile.
    if (signal) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    else sockets.stuck.delete(id);
  };
  const later: Services = { ...own, clock: { ...own.clock, sleep } };
  expect(await pushEvents(later, await position())).toBe(true);
  expect(textsOf(id)).toEqual([]);
  expect(sockets.ended).toEqual([id]);
  expect(await own.sockets?.connections?.list()).toMatchObject([{ userId: service.owner.userId }]);
});

test('A service of its own sends everything, however long that takes', async () => {
  let sleeps = 0;
  const sleep = async (_ms: number, signal?: AbortSignal) => {
    if (++sleeps > 3) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  };
  const own = ownProcess();
  const slow: Services = { ...own, clock: { ...own.clock, sleep } };
  const { id } = await open(bo, slow);
  await types('start', ada, bo);
  expect(await pushEvents(slow, await position())).toBe(true);
  expect(textsOf(id)).toEqual([['typing/start']]);
});

test('A service of its own that could not push tries again after a while, more than once', async () => {
  const { id } = await open(bo);
  let failures = 2;
  pushOwnEntries(processes[0], {
    hasConnections: () => true,
    patienceMs: 20,
    around: (name, run) => {
      if (failures-- > 0) throw new Error('The engine is away');
      return inFunction(name, run);
    },
  });
  await types('start', ada, bo);
  await expect.poll(() => textsOf(id)).toEqual([['typing/start']]);
  const failure = 'Events could not be pushed; they will be soon';
  expect(takeErrors()).toEqual([failure, failure]);
});
