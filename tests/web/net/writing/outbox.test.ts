import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { keyOfNarrow, topicNarrow } from '#web/state/narrow.ts';
import { message, VIEWER } from '../../scene.ts';
import { load, type StillPage } from '../still-page.ts';
import {
  about,
  closeSendingPage,
  lost,
  lunch,
  openSendingPage,
  outbox,
  receive,
  sending,
  sentFrom,
  store,
  taken,
} from './outbox-scene.ts';

const [queue] = await load('#web/net/events/register.ts');

let page: StillPage;
let stop: () => void;
beforeEach(() => {
  page = openSendingPage();
  // Each pause is the longest that chance allows.
  vi.spyOn(Math, 'random').mockReturnValue(1);
  stop = sending.watchOutbox();
});
afterEach(() => {
  stop();
  closeSendingPage(page);
});

const sent = () => sentFrom(page);
const states = () => outbox().map(({ status }: { status: string }) => status);
const times = () => sent().map(({ afterMs }) => afterMs);
const texts = () => sent().map(({ params }) => params.content);
const keys = () => sent().map(({ key }) => key);
const refusal = (status: number, body: object = {}) => ({ status, body: { msg: 'Not today', ...body } });
/** Answers one after another, and then the last of them for ever. */
const answers = (...all: StillPage['answer'][]) => {
  page.answer = () => (all.length > 1 ? (all.shift() ?? lost) : (all[0] ?? lost))();
};

describe('A message that is sent', () => {
  test('Has its place, its text, and the queue and the local id of its event if the page is registered', async () => {
    page.answer = () => taken();
    sending.send(lunch, 'Soup');
    sending.send({ type: 'private', userIds: [2, 3] }, 'For you');
    const [first, second] = outbox();
    expect(first).toEqual({
      ...{ id: expect.any(String), idempotencyKey: sent()[0]?.key, queueId: queue.queueId },
      ...{ localId: first.localId, userId: VIEWER, conversation: lunch, content: 'Soup' },
      ...{ timestamp: page.nowMs() / 1000, status: 'sending', failures: 0 },
    });
    // Whether a queue is registered depends on the tests that ran before in this process.
    const echo = ({ localId }: { localId: string }) =>
      queue.queueId === '' ? {} : { queue_id: queue.queueId, local_id: localId };
    const always = { read_by_sender: 'true' };
    expect(sent().map(({ params }) => params)).toEqual([
      { ...always, ...echo(first), type: 'channel', to: '9', topic: 'lunch', content: 'Soup' },
      { ...always, ...echo(second), type: 'direct', to: '[2,3]', content: 'For you' },
    ]);
  });

  test('Has a local id between the newest message and the next, different from the 89 before it', () => {
    const numbers = (): string[] => outbox().map(({ localId }: { localId: string }) => localId);
    for (let count = 0; count < 91; count++) sending.send(lunch, 'Soup');
    const hundredths = Array.from({ length: 90 }, (_, n) => `7.${`${n + 1}`.padStart(2, '0')}`);
    expect(numbers().slice(0, 90).toSorted()).toEqual(hundredths);
    expect(numbers()[90]).toBe(numbers()[0]);
    sending.outbox.value = [];
    store.cache.value = { ...emptyCache, byId: new Map([12, 9].map((id) => [id, message(id)])) };
    sending.send(lunch, 'Soup');
    store.state.value = { server: { ...store.server.value, max_message_id: 'unknown' } };
    sending.send(lunch, 'Soup');
    store.cache.value = emptyCache;
    sending.send(lunch, 'Soup');
    expect(numbers().map((one) => one.split('.')[0])).toEqual(['12', '12', '0']);
  });

  test('Stays after its answer until its event comes, or the page has registered again', async () => {
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

  test('Disappears with its answer if its event came before', async () => {
    page.answer = () => {
      store.cache.value = { ...emptyCache, byId: new Map([[8, message(8)]]) };
      return taken();
    };
    sending.send(lunch, 'Soup');
    await page.pass(0);
    expect(outbox()).toEqual([]);
  });

  test('Disappears with its event, by the local id or by its own id', async () => {
    page.answer = () => taken();
    for (const topic of ['one', 'two', 'three']) sending.send(about(topic), topic);
    receive({ message: message(20) });
    receive({ message: message(21), local_message_id: outbox()[1].localId });
    expect(outbox().map(({ content }: { content: string }) => content)).toEqual(['one', 'three']);
    await page.pass(0);
    receive({ message: message(8) });
    expect(outbox()).toEqual([]);
  });

  test('Lets the next one of its conversation go when it was answered', async () => {
    page.answer = () => taken();
    for (const text of ['one', 'two']) sending.send(lunch, text);
    expect(texts()).toEqual(['one']);
    await page.pass(0);
    expect(texts()).toEqual(['one', 'two']);
  });
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

  test('Has one attempt each time', async () => {
    page.answer = () => refusal(500);
    sending.send(lunch, 'Soup');
    await page.pass(999);
    expect(times()).toEqual([0]);
  });

  test('Waits as long as the service requests', async () => {
    answers(
      () => refusal(429, { 'retry-after': 7 }),
      () => taken(),
    );
    sending.send(lunch, 'Soup');
    await page.pass(6_999);
    expect(outbox()).toMatchObject([{ status: 'waiting', reason: 'Waiting a moment before sending' }]);
    await page.pass(1);
    expect(times()).toEqual([0, 7_000]);
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
    expect(new Set(keys()).size).toBe(2);
    await page.pass(0);
    expect(states()).toEqual(['sent']);
  });

  test('Disappears when the viewer deletes it, and no other does', async () => {
    page.answer = () => refusal(400);
    for (const topic of ['one', 'two', 'three']) sending.send(about(topic), topic);
    await page.pass(0);
    sending.forget(outbox()[1].id);
    expect(outbox().map(({ content }: { content: string }) => content)).toEqual(['one', 'three']);
    sending.retry(outbox()[1].id);
    expect(states()).toEqual(['failed', 'sending']);
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

describe('A message that an expired session may have sent', () => {
  const reused = () => refusal(400, { code: 'IDEMPOTENCY_KEY_REUSED' });
  const found = (...messages: object[]) => ({ body: { messages } });
  const writtenAt = () => page.nowMs() / 1000;

  test('Gets looked up among the newest 50 that the viewer sent there', async () => {
    answers(reused, () => found());
    sending.send(lunch, 'Soup');
    await page.pass(0);
    const { call = '' } = page.calls[1] ?? {};
    const { narrow, ...asked } = Object.fromEntries(new URLSearchParams(call.split('?')[1]));
    expect(JSON.parse(narrow as string)).toEqual([
      { operator: 'channel', operand: 9, negated: false },
      { operator: 'topic', operand: 'lunch', negated: false },
      { operator: 'sender', operand: VIEWER, negated: false },
    ]);
    expect(asked).toEqual({
      ...{ anchor: 'newest', num_before: '50', num_after: '0' },
      ...{ apply_markdown: 'false', allow_empty_topic_name: 'true' },
    });
  });

  test.each([
    ['the same words, written less than five minutes before', 'Soup', -299.5, true],
    ['the same words, written five minutes before', 'Soup', -300, false],
    ['other words', 'soup', 0, false],
  ])(
    'Adopts an equal one of the last five minutes, and no other: %s: %s',
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

  test('Waits if the service cannot answer', async () => {
    answers(reused, () => refusal(403));
    sending.send(lunch, 'Soup');
    await page.pass(0);
    expect(outbox()).toMatchObject([{ status: 'failed', failures: 1, reason: 'Not today' }]);
  });
});
