import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { load } from '../still-page.ts';
import { looksFor, QUEUE_GONE, Tab, waitsFor } from './tab.ts';

const [store, api, queue, pages] = await load(
  '#web/net/store.ts',
  '#web/net/api.ts',
  '#web/net/events/register.ts',
  '#web/net/pages.ts',
);

/** Each pause is the shortest that chance allows: half of the longest. */
let tab: Tab;
beforeEach(() => {
  tab = new Tab();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => tab.close());

const connection = () => store.connection.value;

describe('A page whose service does not answer', () => {
  test('Reports nothing after one lost poll, and polls again after half a second', async () => {
    await tab.answerRegister();
    await tab.lose();
    expect(connection()).toEqual({ status: 'connected' });
    await tab.pass(499);
    expect(tab.asked).toEqual([]);
    await tab.pass(1);
    expect(tab.asked).toEqual([waitsFor(10)]);
  });

  test('Reports a second failure, the time of the next attempt, and the recovery', async () => {
    await tab.answerRegister();
    await tab.lose();
    await tab.pass(500);
    await tab.lose();
    expect(connection()).toEqual({ status: 'waiting', nextTryAtMs: tab.nowMs + 1000, reason: 'unreachable' });
    await tab.pass(1000);
    expect(connection()).toEqual({ status: 'trying' });
    expect(tab.asked).toEqual([looksFor(10)]);
    await tab.answer({ events: [] });
    expect(connection()).toEqual({ status: 'connected' });
    expect(tab.asked).toEqual([waitsFor(10)]);
  });

  test('Waits as long as a busy service requests', async () => {
    await tab.answerRegister();
    await tab.answer({ result: 'error', msg: 'Slow down' }, 429, { 'retry-after': '7' });
    expect(connection()).toEqual({ status: 'waiting', nextTryAtMs: tab.nowMs + 7000, reason: 'busy' });
    await tab.pass(6999);
    expect(tab.asked).toEqual([]);
    await tab.pass(1);
    await tab.answer({ result: 'error', msg: 'Oh' }, 503);
    expect(connection()).toEqual({ status: 'waiting', nextTryAtMs: tab.nowMs + 1000, reason: 'broken' });
  });

  test('Waits for a poll no longer than 95 seconds', async () => {
    await tab.answerRegister();
    const lost = api.unreachable.value;
    await tab.pass(94_999);
    expect(api.unreachable.value).toBe(lost);
    await tab.pass(1);
    expect(api.unreachable.value).not.toBe(lost);
    await tab.pass(500);
    expect(tab.asked).toEqual([waitsFor(10)]);
  });

  test('Registers as soon as it can', async () => {
    await tab.lose();
    await tab.pass(500);
    await tab.answer({ result: 'error', msg: 'Oh' }, 500);
    expect(connection()).toMatchObject({ status: 'waiting', reason: 'broken' });
    await tab.pass(1000);
    await tab.answerRegister();
    expect(connection()).toEqual({ status: 'connected' });
    expect(tab.asked).toEqual([waitsFor(10)]);
  });

  test('Registers at once when the network returns, although the earlier answer is still pending', async () => {
    await tab.happen('online');
    expect(connection()).toEqual({ status: 'trying' });
    expect(tab.asked).toMatchObject([{ call: 'POST /register' }]);
    await tab.answerRegister();
    expect(tab.asked).toEqual([waitsFor(10)]);
  });

  test('Starts no session by an answer to register that comes after its session has ended', async () => {
    await tab.answerRegister();
    await tab.answer(QUEUE_GONE, 400);
    const hide = pages.show({ narrow: [], placeOf: () => ({ messageId: 7, offsetPx: 0 }) });
    await tab.answerRegister({ queue_id: 'second' });
    expect(tab.asked).toMatchObject([{ call: 'GET /messages' }]);
    api.session.value = 'out';
    await tab.answer({ messages: [], found_oldest: true, found_newest: true });
    await tab.over;
    expect(api.session.value).toBe('out');
    expect(queue.queueId).toBe('first');
    hide();
  });
});

describe('A page that returns', () => {
  beforeEach(() => tab.answerRegister());

  test.each(['online', 'offline'])('Polls at once if the browser says %s', async (type) => {
    expect(tab.asked).toEqual([waitsFor(10)]);
    await tab.happen(type);
    expect(connection()).toEqual({ status: 'trying' });
    expect(tab.asked).toEqual([looksFor(10)]);
    await tab.answer({ events: [] });
    expect(connection()).toEqual({ status: 'connected' });
  });

  test('Polls at once if the network returns during a pause, and waits no longer after it', async () => {
    for (const pauseMs of [500, 1000, 2000]) {
      await tab.lose();
      await tab.pass(pauseMs);
    }
    await tab.lose();
    expect(connection().status).toBe('waiting');
    await tab.happen('online');
    expect(connection()).toEqual({ status: 'trying' });
    expect(tab.asked).toEqual([looksFor(10)]);
    await tab.lose();
    expect(connection()).toMatchObject({ nextTryAtMs: tab.nowMs + 8000 });
  });

  test('Polls at once when it becomes visible after 40 seconds without an answer', async () => {
    await tab.pass(40_000);
    await tab.show(true);
    expect(tab.asked).toEqual([waitsFor(10)]);
    await tab.pass(1);
    await tab.show(false);
    expect(tab.asked).toEqual([waitsFor(10)]);
    await tab.show(true);
    expect(tab.asked).toEqual([looksFor(10)]);
    await tab.answer({ events: [] });
    await tab.show(true);
    expect(tab.asked).toEqual([waitsFor(10)]);
  });
});
