import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { load } from '../still-page.ts';
import { type Socket, Tab } from './tab.ts';

const [store, api, sending] = await load('#web/net/store.ts', '#web/net/api.ts', '#web/net/sending.ts');

/** Each pause is the shortest that chance allows: a quarter of the longest before a socket. */
let tab: Tab;
beforeEach(async () => {
  tab = new Tab();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await tab.answerRegister({ event_socket: { url: '/sockets', token: 'secret' } });
});
afterEach(() => tab.close());

const socket = (): Socket => tab.sockets.at(-1) as Socket;
const words = (id: number, ...alert_words: string[]) => ({ id, type: 'alert_words', alert_words });
const known = () => store.server.value.alert_words;
const openings = (last_event_id: number) => ({ op: 'open', token: 'secret', last_event_id });
const ping = { op: 'ping' };
const polls = (mayWait: boolean) => [
  { call: 'GET /events', params: expect.objectContaining(mayWait ? {} : { dont_block: 'true' }) },
];
/** The socket is open, and the service reported that nothing is missing. */
async function opened(): Promise<void> {
  await socket().open();
  await socket().deliver({ op: 'opened', position: 1, events: [] });
}
/** The page polled for missing events, and there are none. */
async function caughtUp(): Promise<void> {
  expect(tab.asked).toMatchObject([{ call: 'GET /events', params: { dont_block: 'true' } }]);
  await tab.answer({ events: [] });
}

describe('A page with a socket', () => {
  test('Opens it at the address in register, sends its position, and processes events without a poll', async () => {
    expect(tab.sockets.map(({ url }) => url)).toEqual(['wss://chat.example.com/sockets']);
    expect(socket().sent).toEqual([]);
    await socket().open();
    expect(socket().sent).toEqual([openings(10)]);
    await socket().deliver({ op: 'opened', position: 7, events: [words(11, 'soup')] });
    expect(known()).toEqual(['soup']);
    await socket().deliver({ op: 'events', position: 8, events: [words(12, 'bread')] });
    expect(known()).toEqual(['bread']);
    await tab.pass(200_000);
    expect(tab.asked).toEqual([]);
    expect(tab.sockets).toHaveLength(1);
    expect(socket().sent).toHaveLength(1);
  });

  test('Polls while a socket takes longer than three seconds to open, and no longer', async () => {
    await tab.pass(2_999);
    expect(tab.asked).toEqual([]);
    await tab.pass(1);
    expect(tab.asked).toEqual(polls(true));
    await tab.answer({ events: [words(11, 'soup')] });
    expect(known()).toEqual(['soup']);
    expect(tab.asked).toEqual(polls(true));
    await socket().open();
    expect(socket().sent).toEqual([openings(11)]);
    await socket().deliver({ op: 'opened', position: 7, events: [] });
    expect(tab.asked).toEqual([]);
  });

  test('Acknowledges after every 200 positions', async () => {
    await opened();
    await socket().deliver({ op: 'events', position: 199, events: [words(11, 'soup')] });
    expect(socket().sent).toHaveLength(1);
    await socket().deliver({ op: 'events', position: 200, events: [words(12, 'bread')] });
    const ack = { op: 'ack', token: 'secret', last_event_id: 12, position: 200 };
    expect(socket().sent.slice(1)).toEqual([ack]);
  });

  test('Leaves a socket that does not answer within ten seconds, and polls for missing events', async () => {
    await opened();
    await tab.pass(240_000 + 9_999);
    expect(socket().isClosed).toBe(false);
    expect(tab.asked).toEqual([]);
    await tab.pass(1);
    expect(socket().isClosed).toBe(true);
    expect(tab.asked).toEqual(polls(false));
    await tab.answer({ events: [words(11, 'soup')] });
    expect(known()).toEqual(['soup']);
    await caughtUp();
    expect(tab.asked).toEqual(polls(true));
  });

  test('Tries another socket after a pause, longer after each useless one, and polls meanwhile', async () => {
    const pauses: number[] = [];
    for (let tries = 1; tries <= 3; tries++) {
      await socket().cut();
      await caughtUp();
      expect(tab.asked).toEqual(polls(true));
      const beforeMs = tab.nowMs;
      while (tab.sockets.length === tries) await tab.pass(100);
      pauses.push(tab.nowMs - beforeMs);
      expect(tab.asked).toEqual([]);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    await opened();
    await tab.pass(60_000);
    await socket().cut();
    await caughtUp();
    await tab.pass(499);
    expect(tab.sockets).toHaveLength(4);
    await tab.pass(1);
    expect(tab.sockets).toHaveLength(5);
  });

  test('Waits with the next socket as long as the service requests', async () => {
    await opened();
    await socket().deliver({ op: 'closed', code: 'RATE_LIMIT_HIT', 'retry-after': 30 });
    expect(socket().isClosed).toBe(true);
    await caughtUp();
    await tab.pass(29_999);
    expect(tab.sockets).toHaveLength(1);
    await tab.pass(1);
    expect(tab.sockets).toHaveLength(2);
  });

  test('Polls if a socket would be too slow, and opens the next one at once', async () => {
    await opened();
    await socket().deliver({ op: 'poll' });
    await tab.answer({ events: [words(11, 'soup')] });
    await caughtUp();
    expect(tab.sockets).toHaveLength(2);
    expect(tab.asked).toEqual([]);
    await socket().open();
    expect(socket().sent).toEqual([{ ...openings(11), position: 1 }]);
  });

  test('Registers again if an open socket is refused, which shows whether the session is expired', async () => {
    await opened();
    await socket().deliver({ op: 'closed', code: 'UNAUTHORIZED' });
    expect(tab.asked).toMatchObject([{ call: 'POST /register' }]);
    await tab.answer({ result: 'error', msg: 'No', code: 'UNAUTHORIZED' }, 401);
    await tab.over;
    expect(api.session.value).toBe('out');
  });

  test('Polls if the browser opens no sockets', async () => {
    class Refused {
      constructor() {
        throw new Error('No sockets');
      }
    }
    vi.stubGlobal('WebSocket', Refused);
    await socket().cut();
    await caughtUp();
    await tab.pass(1_000);
    await caughtUp();
    expect(tab.asked).toEqual(polls(true));
  });
});

describe('A page that returns to its socket', () => {
  beforeEach(opened);

  test.each(['online', 'offline'])('Leaves it if the browser says %s, and opens another', async (type) => {
    await tab.happen(type);
    expect(socket().isClosed).toBe(true);
    await caughtUp();
    expect(tab.sockets).toHaveLength(2);
  });

  test('Pings it when it becomes visible after 40 silent seconds, once, for five seconds', async () => {
    await tab.pass(40_000);
    await tab.show(true);
    expect(socket().sent).toHaveLength(1);
    await tab.pass(1);
    await tab.show(true);
    await tab.show(true);
    expect(socket().sent.slice(1)).toEqual([ping]);
    await tab.pass(4_999);
    expect(socket().isClosed).toBe(false);
    await tab.pass(1);
    expect(socket().isClosed).toBe(true);
    expect(tab.asked).toEqual(polls(false));
  });

  test('Pings it if the event of an own message is missing five seconds after its answer', async () => {
    for (const isHeard of [true, false]) {
      sending.send({ type: 'stream', channelId: 9, topic: 'logo' }, 'Soup');
      await tab.answer({ id: 20 });
      if (isHeard) sending.forget(sending.outbox.value.at(-1).id);
      await tab.pass(4_999);
      expect(socket().sent).toHaveLength(1);
      await tab.pass(1);
    }
    expect(socket().sent.slice(1)).toEqual([ping]);
  });
});

test('An invalid address is reported, and not tried for ever', async () => {
  await tab.signOut();
  api.session.value = 'unknown';
  const refused = expect(tab.followAgain()).rejects.toThrow('Invalid URL');
  await tab.answerRegister({ event_socket: { url: 'https://[', token: 'secret' } });
  await refused;
  await tab.happen('online');
  expect(tab.asked).toEqual([]);
  void tab.followAgain();
});
