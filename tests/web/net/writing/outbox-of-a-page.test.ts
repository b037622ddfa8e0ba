import { describe, expect, test, vi } from 'vitest';
import { message, VIEWER } from '../../scene.ts';
import { browser } from '../page.ts';
import {
  about,
  lost,
  lunch,
  outbox,
  receive,
  sending,
  sentFrom,
  store,
  taken,
  useSendingPage,
} from './outbox-scene.ts';

const page = useSendingPage();

const sent = () => sentFrom(page);
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
    page.stop();
  };
  const texts = () => store.notices.value.map(({ text }: { text: string }) => text);

  test('Starts with messages of another page, which it sends, and with none of another user', async () => {
    page.answer = () => taken();
    leave(left('one'), left('two'));
    sending.outbox.value = ['own', 'other'].map((author) =>
      left(author, { status: 'failed', userId: author === 'own' ? VIEWER : 2 }),
    );
    page.stop = sending.watchOutbox();
    await page.pass(0);
    expect(outbox().map(({ content }: { content: string }) => content)).toEqual(['one', 'two', 'own']);
    expect(sent().map(({ params, key }) => `${params.content} ${key}`)).toEqual(['one one', 'two two']);
    expect(texts()).toEqual([]);
  });

  test('Holds on to messages of another page only while it is open', async () => {
    leave(left('one'));
    const signals: AbortSignal[] = [];
    const request = (_name: string, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    Object.assign(page.navigator, { locks: { request } });
    page.stop = sending.watchOutbox();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    page.stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

test('A closed page stores nothing more, receives nothing more and sends nothing more', async () => {
  page.answer = lost;
  sending.send(lunch, 'Soup');
  sending.send(about('dinner'), 'Bread');
  await page.pass(0);
  page.stop();
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
