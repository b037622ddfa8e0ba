import { beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { keyOfNarrow, topicNarrow } from '#web/state/narrow.ts';
import type { StillPage } from '../still-page.ts';
import { lost, lunch, outbox, sending, sentFrom, store, taken, useSendingPage } from './outbox-scene.ts';

const page = useSendingPage();
beforeEach(() => {
  // Each pause is the longest that chance allows.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});

const sent = () => sentFrom(page);
const states = () => outbox().map(({ status }: { status: string }) => status);
const times = () => sent().map(({ afterMs }) => afterMs);
const keys = () => sent().map(({ key }) => key);
const refusal = (status: number, body: object = {}) => ({ status, body: { msg: 'Not today', ...body } });
/** Answers one after another, and then the last of them for ever. */
const answers = (...all: StillPage['answer'][]) => {
  page.answer = () => (all.length > 1 ? (all.shift() ?? lost) : (all[0] ?? lost))();
};

test('A message that is sent stays after its answer until its event comes, or the page has registered again', async () => {
  page.answer = () => taken();
  sending.send(lunch, 'Soup');
  await page.pass(0);
  expect(outbox()).toMatchObject([{ content: 'Soup', status: 'sent', messageId: 8 }]);
  await page.pass(60_000);
  expect(states()).toEqual(['sent']);
  expect(sending.lastSent.value).toMatchObject({ messageId: 8, content: 'Soup' });
  const narrow = topicNarrow(9, 'lunch');
  const run = { narrow, ids: [7], hasOldest: true, hasNewest: true };
  store.cache.value = { ...emptyCache, runs: new Map([[keyOfNarrow(narrow), run]]) };
  store.generation.value = Symbol();
  expect(states()).toEqual(['sent']);
  store.cache.value = emptyCache;
  store.generation.value = Symbol();
  expect(outbox()).toEqual([]);
});

describe('A message that could not be sent', () => {
  test('Repeats the same request until it is answered, after longer and longer pauses', async () => {
    answers(
      lost,
      () => refusal(502),
      lost,
      () => taken(),
    );
    sending.send(lunch, 'Soup');
    await page.pass(0);
    expect(outbox()).toMatchObject([{ status: 'waiting', failures: 1, reason: 'Waiting for a connection' }]);
    await page.pass(20_000);
    expect(times()).toEqual([0, 1_000, 3_000, 7_000]);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(sent().map(({ params }) => JSON.stringify(params))).size).toBe(1);
  });

  test('Waits for the session if that is expired', async () => {
    page.answer = () => refusal(401);
    sending.send(lunch, 'Soup');
    await page.pass(60_000);
    expect(outbox()).toMatchObject([{ status: 'waiting', reason: 'You’re signed out' }]);
    expect(times()).toEqual([0]);
  });

  test.each([
    ['the service refuses it', () => refusal(499), 'Not today'],
    ['the page cannot read its answer', () => ({ body: null as never }), expect.any(String)],
  ])('Waits for the viewer if %s, and is another request then', async (_what, answer, reason) => {
    answers(answer, () => taken());
    sending.send(lunch, 'Soup');
    await page.pass(60_000);
    expect(outbox()).toMatchObject([{ status: 'failed', failures: 1, reason }]);
    sending.retry(outbox()[0].id);
    expect(outbox()).toMatchObject([{ status: 'sending', failures: 0 }]);
    await page.pass(0);
    expect(new Set(keys()).size).toBe(2);
    expect(states()).toEqual(['sent']);
  });

  test('Has another attempt when the viewer wants it, and when the connection returns', async () => {
    answers(lost, lost, lost, () => taken());
    sending.send(lunch, 'Soup');
    await page.pass(100);
    sending.retry(outbox()[0].id);
    expect(outbox()[0]).not.toHaveProperty('nextTryAtMs');
    await page.pass(100);
    store.connection.value = { status: 'trying' };
    await page.pass(100);
    expect(times()).toEqual([0, 100]);
    store.connection.value = { status: 'connected' };
    await page.pass(0);
    expect(times()).toEqual([0, 100, 300]);
  });
});

const reused = () => refusal(400, { code: 'IDEMPOTENCY_KEY_REUSED' });
const found = (...messages: object[]) => ({ body: { messages } });
const writtenAt = () => page.nowMs() / 1000;

test.each([
  ['the same words, written less than five minutes before', 'Soup', -299.5, true],
  ['the same words, written five minutes before', 'Soup', -300, false],
  ['other words', 'soup', 0, false],
])(
  'A message that an expired session may have sent adopts an equal one of the last five minutes, and no other: %s: %s',
  async (_what, content, seconds, isTaken) => {
    answers(
      reused,
      () => found({ id: 5, content, timestamp: writtenAt() + seconds }),
      () => taken(),
    );
    sending.send(lunch, 'Soup');
    await page.pass(0);
    expect(outbox()).toMatchObject([{ status: 'sent', messageId: isTaken ? 5 : 8 }]);
    expect(new Set(keys()).size).toBe(isTaken ? 1 : 2);
  },
);
