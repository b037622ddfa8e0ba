import { describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { schedule } from '../scheduled-messages/schedules.ts';
import { inTopic, list, newest } from './lists/message-lists.ts';
import { expectAdded, submessagesOf, vote, widgetOf } from './widgets.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const post = (content: string): Promise<number> => ada.send(room.channelId, 'topic', content);
const poll = (question: string, ...options: string[]) => ({
  widget_type: 'poll',
  extra_data: { question, options },
});
const todo = (task_list_title: string, ...tasks: [string, string][]) => ({
  widget_type: 'todo',
  extra_data: { task_list_title, tasks: tasks.map(([task, desc]) => ({ task, desc })) },
});

describe('A message that begins with /poll or /todo', () => {
  test.each([
    ['/poll Where?', poll('Where?')],
    ['/poll', poll('')],
    ['/poll   Where to?  \n* Rome\n- Oslo\n\n  Bern ', poll('Where to?', 'Rome', 'Oslo', 'Bern')],
    ['/poll\nRome\nOslo', poll('', 'Rome', 'Oslo')],
    ['/poll Ünï ❤\r\n漢字\r\n-x', poll('Ünï ❤', '漢字', 'x')],
    ['/poll <script>\n"quoted"', poll('<script>', '"quoted"')],
    ['/todo', todo('')],
    [
      '/todo Trip\n* tickets: by Friday: early\n- pack',
      todo('Trip', ['tickets', 'by Friday: early'], ['pack', '']),
    ],
    ['/todo\nbuy:now', todo('', ['buy:now', ''])],
  ])('Becomes a widget: %j', async (content, widget) => {
    expect(await widgetOf(bo, await post(content))).toEqual(widget);
  });

  const words = ['poll Where?', '/polls Where?', '/Poll Where?', '/todos', '/me /poll', '/poll:'];
  test.each([...words, '> /poll Where?', 'hello\n/poll Where?', ' /poll Where?'])(
    'Stays an ordinary message: %j',
    async (content) => {
      expect(await widgetOf(bo, await post(content))).toBeUndefined();
    },
  );

  test('Has the widget in its event and in reads, and its text is shown like that of others', async () => {
    const queue = await bo.listen({ event_types: ['message'] });
    const content = '/poll Where?\nRome';
    const messageId = await post(content);
    const widget = { msg_type: 'widget', content: JSON.stringify(poll('Where?', 'Rome')) };
    const submessages = [{ id: messageId, message_id: messageId, sender_id: ada.userId, ...widget }];
    const [event] = await queue.drain();
    expect(event?.message).toMatchObject({ id: messageId, submessages });
    expect(event?.message.content).toContain('/poll Where?');
    expect(await submessagesOf(bo, messageId)).toEqual(submessages);
    for (const request of [
      { anchor: messageId, num_before: 0, num_after: 0 },
      { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['channel', room.name]] },
      { message_ids: [messageId] },
    ])
      expect((await bo.get('/messages', request)).body.messages).toMatchObject([{ submessages }]);
  });

  test('Becomes a widget in direct messages, and from a bot', async () => {
    const direct = await ada.sendDirect([bo.userId], '/todo Us');
    expect(await widgetOf(bo, direct)).toEqual(todo('Us'));
    const [bot] = await createUsers(service, 'Bot');
    await service.makeBot(bot, ada);
    expect(await widgetOf(bo, await bot.send(room.channelId, 'topic', '/poll Bots?'))).toEqual(poll('Bots?'));
  });

  test('Becomes a widget if it was scheduled', async () => {
    const nowSeconds = Math.floor(service.services.clock.nowMs() / 1000);
    const scheduledMessageId = await schedule(ada, {
      to: room.channelId,
      content: '/poll Later?\nnever',
      scheduled_delivery_timestamp: nowSeconds + 300,
    });
    const queue = await bo.listen({ event_types: ['message'] });
    service.advance(300_000);
    await deliverScheduledMessage(service.services, { userId: ada.userId, scheduledMessageId });
    const [event] = await queue.drain();
    expect(await widgetOf(bo, event?.message.id)).toEqual(poll('Later?', 'never'));
  });
});

describe('A widget', () => {
  test('Can be moved, but not edited', async () => {
    const messageId = await post('/poll Where?');
    await expectAdded(bo, messageId, vote('canned,0'));
    const before = await submessagesOf(ada, messageId);
    const refuse = async (id: number, params: Params) =>
      expectRefusal(await ada.patch(`/messages/${id}`, params), 'Widgets cannot be edited.');
    for (const content of ['/poll Whither?', 'no poll', '', '/poll Where?'])
      await refuse(messageId, { content });
    await refuse(await ada.sendDirect([bo.userId], '/todo'), { content: 'x' });
    await refuse(messageId, { topic: 'elsewhere', content: 'x' });
    expect((await ada.patch(`/messages/${messageId}`, { topic: 'elsewhere' })).status).toBe(200);
    expect(await submessagesOf(bo, messageId)).toEqual(before);
    await expectAdded(bo, messageId, vote('canned,0', -1));
    const { messages } = await list(bo, { ...newest, narrow: inTopic(room.name, 'elsewhere') });
    expect(messages[0].submessages).toHaveLength(3);
  });

  test('Cannot be created by editing another message', async () => {
    const messageId = await post('hello');
    expect((await ada.patch(`/messages/${messageId}`, { content: '/poll Where?' })).status).toBe(200);
    expect(await widgetOf(bo, messageId)).toBeUndefined();
    expect((await ada.patch(`/messages/${messageId}`, { content: '/poll Whither?' })).status).toBe(200);
  });
});
