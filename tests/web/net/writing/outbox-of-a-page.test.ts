import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { message, VIEWER } from '../../scene.ts';
import { browser } from '../page.ts';
import type { StillPage } from '../still-page.ts';
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

let page: StillPage;
let stop: () => void;
beforeEach(() => {
  page = openSendingPage();
  stop = sending.watchOutbox();
});
afterEach(() => {
  stop();
  closeSendingPage(page);
});

const sent = () => sentFrom(page);
const refusal = () => ({ status: 400, body: { msg: 'Not today' } });

describe('The outbox of a page that opens', () => {
  const left = (content: string, fields: object = {}) => ({
    ...{ id: content, idempotencyKey: content, queueId: 'old', localId: '1.01', userId: VIEWER },
    ...{ conversation: about(content), content, timestamp: page.nowMs() / 1000, status: 'sending' },
    ...{ failures: 0, ...fields },
  });
  const leave = (...all: object[]) => {
    browser.localStorage[`outbox ${VIEWER} closed`] = JSON.stringify(all);
    const request = async (_name: string, _options: object, hold: () => unknown) => hold();
    Object.assign(page.navigator, { locks: { request } });
    stop();
  };
  const texts = () => store.notices.value.map(({ text }: { text: string }) => text);

  test('Starts with messages of another page, which it sends, and with none of another user', async () => {
    page.answer = () => taken();
    leave(left('one'), left('two'));
    sending.outbox.value = ['own', 'other'].map((one) =>
      left(one, { status: 'failed', userId: one === 'own' ? VIEWER : 2 }),
    );
    stop = sending.watchOutbox();
    await page.pass(0);
    expect(outbox().map(({ content }: { content: string }) => content)).toEqual(['one', 'two', 'own']);
    expect(sent().map(({ params, key }) => [params.content, key])).toEqual([
      ['one', 'one'],
      ['two', 'two'],
    ]);
    expect(texts()).toEqual([]);
  });

  test.each([
    [1, '1 message wasn’t sent before the page closed'],
    [2, '2 messages weren’t sent before the page closed'],
  ])('Shows messages that wait for the viewer as not sent: %i', async (count, words) => {
    leave(...Array.from({ length: count }, (_, n) => left(`old ${n}`, { status: 'failed' })), left('fresh'));
    stop = sending.watchOutbox();
    await page.pass(0);
    expect(texts()).toEqual([words]);
  });

  test('Stays unchanged if no messages remained', async () => {
    leave();
    stop = sending.watchOutbox();
    const before = sending.outbox.value;
    await page.pass(0);
    expect(sending.outbox.value).toBe(before);
  });

  test('Holds on to messages of another page only while it is open', async () => {
    leave(left('one'));
    const signals: AbortSignal[] = [];
    const request = (_name: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    Object.assign(page.navigator, { locks: { request } });
    stop = sending.watchOutbox();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

test('A closed page stores nothing more, receives nothing more and sends nothing more', async () => {
  page.answer = lost;
  sending.send(lunch, 'Soup');
  sending.send(about('dinner'), 'Bread');
  await page.pass(0);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  const stored = { ...browser.localStorage };
  expect(JSON.stringify(stored)).toContain('Soup');
  store.connection.value = { status: 'trying' };
  store.connection.value = { status: 'connected' };
  const { localId } = outbox()[0];
  receive({ message: message(8), local_message_id: localId });
  expect(outbox()).toHaveLength(2);
  sending.outbox.value = [];
  await page.pass(60_000);
  expect(sent()).toHaveLength(2);
  expect(browser.localStorage).toEqual(stored);
});

describe('A text before it is sent', () => {
  const noticed = () => store.notices.value.at(-1)?.text;

  test('Can be scheduled for a place and a time, once, with a notice of a refusal', async () => {
    expect(await sending.schedule(lunch, 'Soup', 1_800_000_000)).toBe(true);
    expect(noticed()).toBeUndefined();
    expect(await sending.schedule({ type: 'private', userIds: [2] }, 'Hi', 1_800_000_001)).toBe(true);
    const key = expect.any(String);
    expect(page.calls).toMatchObject([
      {
        ...{ call: 'POST /scheduled_messages', key },
        params: {
          type: 'channel',
          to: '9',
          topic: 'lunch',
          content: 'Soup',
          scheduled_delivery_timestamp: '1800000000',
        },
      },
      { key, params: { type: 'direct', to: '[2]', content: 'Hi' } },
    ]);
    page.answer = () => refusal();
    expect(await sending.schedule(lunch, 'Soup', 1)).toBe(false);
    expect(noticed()).toBe('Couldn’t schedule the message: Not today');
  });

  test('Can be previewed as the service renders it', async () => {
    page.answer = () => ({ body: { rendered: '<p>Soup</p>' } });
    expect(await sending.preview('Soup')).toBe('<p>Soup</p>');
    expect(page.calls).toMatchObject([{ call: 'POST /messages/render', params: { content: 'Soup' } }]);
  });
});
