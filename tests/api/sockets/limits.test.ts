import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { readCounter } from '#shared/store/log/log.ts';
import { failsAt } from '#tests/harness/failing-table.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openText, TestSocket, withSocket } from './test-socket.ts';

const PERSON_LIMIT = 3;
const MAX_OPEN = 12;
const PING_INTERVAL_MS = 30_000;
const PLENTY = { requests: 1_000_000, windowSeconds: 60 };

const service = await startTestService(
  {
    pollLimits: { person: PERSON_LIMIT, botsOfOwner: PERSON_LIMIT },
    requestLimits: {
      user: { requests: 150, windowSeconds: 3600 },
      address: PLENTY,
      light: PLENTY,
      agent: { requests: 60, windowSeconds: 60 },
    },
  },
  { sockets: { limits: { namelessMs: 600_000 } } },
);
const ada = await createUser(service, 'Ada');
afterEach(() => void vi.useRealTimers());

const connect = () => TestSocket.connect(service.url);

describe('A socket', () => {
  test.each([
    ['no JSON', 'hello'],
    ['JSON of no object', '7'],
    ['an unknown operation', { op: 'close' }],
    ['a token that is no text', { op: 'open', token: 7, last_event_id: -1 }],
    ['an event id beyond all numbers', '{"op":"open","token":"t","last_event_id":1e999}'],
  ])('Answers an error and ends after %s', async (_what, text) => {
    const socket = await connect();
    socket.send(text);
    expect(await socket.untilClosed()).toMatchObject({ op: 'closed', code: 'BAD_REQUEST' });
  });

  test.each([
    ['more than four kilobytes', 'x'.repeat(5_000)],
    ['bytes', Buffer.from('{"op":"ping"}')],
  ])('Ends without an answer after %s', async (_what, text) => {
    const socket = await connect();
    socket.send(text);
    expect(await socket.untilClosed()).toBeUndefined();
  });

  test('Answers an error and ends after an event id of the future', async () => {
    const queue = await withSocket(ada);
    queue.lastEventId = 2 ** 52;
    const socket = await connect();
    socket.send(openText(queue));
    expect(await socket.untilClosed()).toMatchObject({ op: 'closed', code: 'BAD_REQUEST' });
  });

  test('Answers an error and ends after a position of the future', async () => {
    const socket = await connect();
    const position = (await readCounter(service.services.table)) + 1;
    socket.send({ ...openText(await withSocket(ada)), position });
    const msg = `Position ${position} was not in this queue`;
    expect(await socket.untilClosed()).toMatchObject({ op: 'closed', code: 'BAD_REQUEST', msg });
  });

  test('Ends after many texts at once', async () => {
    const socket = await connect();
    for (let n = 0; n < 50; n++) socket.send({ op: 'ping' });
    await socket.untilClosed();
    expect(socket.texts.length).toBeLessThan(50);
  });

  test('Answers each of eight texts at once', async () => {
    const socket = await connect();
    for (let n = 0; n < 8; n++) socket.send({ op: 'ping' });
    await socket.until(() => socket.texts.length === 8);
    expect(socket.texts).toEqual(Array.from({ length: 8 }, () => ({ op: 'pong' })));
  });
});

describe('The limits of sockets', () => {
  test('End sockets of clients without a token', async () => {
    const strict = await startTestService({}, { sockets: { limits: { namelessMs: 1_000 } } });
    const socket = await TestSocket.connect(strict.url);
    socket.send({ op: 'ping' });
    await socket.untilClosed();
    expect(socket.texts.filter(({ op }) => op !== 'pong')).toEqual([]);
  });

  test('Keep the newest sockets of an account, as many as polls', async () => {
    const bo = await createUser(service, 'Bo');
    const another = await TestSocket.open(await withSocket(bo));
    const queues = [];
    for (let n = 0; n <= PERSON_LIMIT; n++) queues.push(await withSocket(ada));
    const sockets = [];
    for (const queue of queues) sockets.push(await TestSocket.open(queue));
    expect(await sockets[0]!.untilClosed()).toMatchObject({ op: 'closed', code: 'RATE_LIMIT_HIT' });
    expect([another, ...sockets.slice(1)].every(({ isOpen }) => isOpen)).toBe(true);
    for (const socket of [another, ...sockets]) socket.kill();
  });

  test('Keep the newest socket of a queue', async () => {
    const queue = await withSocket(ada);
    const [old, young] = [await TestSocket.open(queue), await TestSocket.open(queue)];
    expect(await old.untilClosed()).toMatchObject({ op: 'closed', code: 'RATE_LIMIT_HIT' });
    expect(young.isOpen).toBe(true);
    young.kill();
  });

  test('Allow sockets at one address only', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/v1/events`);
    const failure = await new Promise<Error>((resolve) => socket.on('error', resolve));
    expect(failure.message).toContain('404');
  });

  test('Cut off a client that does not read its events', async () => {
    const queue = await withSocket(ada);
    const socket = await TestSocket.open(queue);
    socket.pause();
    const { sockets } = service.services;
    const all = (await sockets?.connections?.list()) ?? [];
    const { connectionId = '' } = all.find(({ queueId }) => queueId === queue.queueId) ?? {};
    const text = JSON.stringify({ op: 'events', events: [], filler: 'x'.repeat(1_000_000) });
    let posts = 0;
    while ((await sockets?.post(connectionId, text)) === 'sent') {
      expect(++posts).toBeLessThan(100);
      await nextTurn();
    }
    socket.resume();
    await socket.untilClosed();
  });

  test('Cut off a client that answers no pings, and no other', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const strict = await startTestService();
    const dead = await TestSocket.connect(strict.url, { autoPong: false });
    const alive = await TestSocket.connect(strict.url);
    for (let round = 1; round <= 2; round++) {
      vi.advanceTimersByTime(PING_INTERVAL_MS);
      // Its first answer follows the service's ping, and its second text follows the client's pong.
      for (let text = 1; text <= 2; text++)
        expect(await alive.request({ op: 'ping' })).toEqual({ op: 'pong' });
    }
    expect(await dead.untilClosed()).toBeUndefined();
    expect(await alive.request({ op: 'ping' })).toEqual({ op: 'pong' });
    await strict.stop();
  });

  test('End a socket after a text that could not be answered, and log it', async () => {
    const socket = await connect();
    const queue = await withSocket(ada);
    const { table } = service.services;
    service.services.table = failsAt(service.services, 1, ['find']).services.table;
    socket.send(openText(queue));
    expect(await socket.untilClosed()).toBeUndefined();
    service.services.table = table;
    expect(takeErrors()).toEqual(['A socket could not be answered']);
  });

  test.each(['open', 'openOfAddress'])(
    'Close the oldest socket without a token over the limit %s',
    async (limit) => {
      const small = await startTestService({}, { sockets: { limits: { [limit]: MAX_OPEN } } });
      const bo = await createUser(small, 'Bo');
      const named = await TestSocket.open(await withSocket(bo));
      const nameless: TestSocket[] = [];
      for (let count = 1; count < MAX_OPEN; count++) nameless.push(await TestSocket.connect(small.url));
      await TestSocket.connect(small.url);
      await nameless[0]?.untilClosed();
      expect(nameless.filter(({ isOpen }) => isOpen)).toHaveLength(MAX_OPEN - 2);
      expect(named.isOpen).toBe(true);
    },
  );

  test('Refuse a socket if all open ones have shown a token', async () => {
    const small = await startTestService({}, { sockets: { limits: { open: 2 } } });
    const bo = await createUser(small, 'Bo');
    for (let count = 0; count < 2; count++) await TestSocket.open(await withSocket(bo));
    await expect(TestSocket.connect(small.url)).rejects.toThrow('503');
  });

  test('Count requests through sockets as requests of the account', async () => {
    const bo = await createUser(service, 'Bo');
    const queue = await withSocket(bo);
    const { token } = openText(queue);
    const socket = await TestSocket.open(queue);
    for (let n = 0; socket.isOpen && n < 200; n++) {
      socket.send({ op: 'ack', token, last_event_id: queue.lastEventId });
      await socket.request({ op: 'ping' });
    }
    expect(socket.texts.at(-1)).toMatchObject({ op: 'closed', code: 'RATE_LIMIT_HIT' });
  });
});
