import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { came, message } from '../../scene.ts';
import { load } from '../still-page.ts';
import { QUEUE_GONE, Tab, waitsFor } from './tab.ts';

const [store, api, queue, pages, hearing] = await load(
  '#web/net/store.ts',
  '#web/net/api.ts',
  '#web/net/events/register.ts',
  '#web/net/pages.ts',
  '#web/net/hearing.ts',
);

let tab: Tab;
beforeEach(() => {
  tab = new Tab();
});
afterEach(() => tab.close());

const words = (id: number, ...alert_words: string[]) => ({ id, type: 'alert_words', alert_words });
const known = () => store.server.value;

describe('A page that follows the events', () => {
  test('Registers, waits for events, and waits for those after the last one', async () => {
    const before = store.generation.value;
    expect(tab.asked).toMatchObject([{ call: 'POST /register' }]);
    expect(store.hasState.value).toBe(false);
    await tab.answerRegister();
    expect(api.session.value).toBe('in');
    expect(store.hasState.value).toBe(true);
    expect(store.generation.value).not.toBe(before);
    expect(queue.queueId).toBe('first');
    expect(tab.asked).toEqual([waitsFor(10)]);
    await tab.answer({ events: [words(11, 'soup'), words(14, 'soup', 'bread')] });
    expect(known().alert_words).toEqual(['soup', 'bread']);
    expect(tab.asked).toEqual([waitsFor(14)]);
  });

  test('Processes no event twice, and waits on after a poll without any', async () => {
    await tab.answerRegister();
    await tab.answer({ events: [words(11, 'soup')] });
    await tab.answer({ events: [words(11, 'old')] });
    expect(known().alert_words).toEqual(['soup']);
    const before = store.state.value;
    await tab.answer({ events: [] });
    expect(store.state.value).toBe(before);
    expect(tab.asked).toEqual([waitsFor(11)]);
  });

  test('Skips an event that does not fit its state, and processes those around it', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    const heard = vi.fn();
    const stop = hearing.onEvent('alert_words', heard);
    await tab.answerRegister({}, { alert_words: ['tea'] });
    const broken = { id: 12, type: 'realm_user', op: 'update', person: null };
    const second = { id: 13, type: 'muted_users', muted_users: [{ id: 2, timestamp: 1 }] };
    await tab.answer({ events: [words(11, 'soup'), broken, second] });
    expect(known()).toMatchObject({ alert_words: ['soup'], muted_users: [{ id: 2 }] });
    expect(warned.mock.calls).toEqual([
      ['An event did not fit the state', 'realm_user', expect.any(TypeError)],
    ]);
    expect(heard.mock.calls).toEqual([
      [words(11, 'soup'), expect.objectContaining({ alert_words: ['tea'] })],
    ]);
    expect(tab.asked).toEqual([waitsFor(13)]);
    stop();
  });

  test('Registers again when its queue is expired, and continues from there', async () => {
    await tab.answerRegister();
    const before = store.generation.value;
    await tab.answer(QUEUE_GONE, 400);
    expect(tab.asked).toMatchObject([{ call: 'POST /register' }]);
    await tab.answerRegister({ queue_id: 'second', last_event_id: -1 }, { alert_words: ['new'] });
    expect(known().alert_words).toEqual(['new']);
    expect(store.generation.value).not.toBe(before);
    expect(queue.queueId).toBe('second');
    expect(tab.asked).toEqual([{ call: 'GET /events', params: { queue_id: 'second', last_event_id: '-1' } }]);
  });

  test('Signs out when the service no longer knows its session', async () => {
    await tab.answerRegister();
    await tab.answer({ result: 'error', msg: 'No', code: 'UNAUTHORIZED' }, 401);
    await tab.over;
    expect(api.session.value).toBe('out');
    expect(tab.asked).toEqual([]);
  });

  test('Registers again when its poll is refused for a session that this browser has changed meanwhile', async () => {
    await tab.answerRegister();
    await api.renewSession(async () => {});
    await tab.answer({ result: 'error', msg: 'No', code: 'UNAUTHORIZED' }, 401);
    expect(api.session.value).toBe('in');
    expect(tab.asked).toMatchObject([{ call: 'POST /register' }]);
  });

  test('Forgets the messages of its earlier queue, except for those on the screen', async () => {
    await tab.answerRegister();
    await tab.answer({ events: [{ ...came(message(5)), id: 11 }] });
    expect(store.cache.value.byId.size).toBe(1);
    await tab.answer(QUEUE_GONE, 400);
    await tab.answerRegister();
    expect(store.cache.value.byId.size).toBe(0);
    const hide = pages.show({
      narrow: [{ operator: 'channel', operand: '9' }],
      placeOf: () => ({ messageId: 7, offsetPx: 0 }),
    });
    await tab.answer(QUEUE_GONE, 400);
    await tab.answerRegister();
    expect(tab.asked).toMatchObject([{ call: 'GET /messages', params: { anchor: '7' } }]);
    await tab.answer({ messages: [message(7)], found_oldest: true, found_newest: true });
    expect([...store.cache.value.byId.keys()]).toEqual([7]);
    hide();
  });
});
