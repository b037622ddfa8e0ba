// The operations editMessage and getMessageHistory.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Client, Params, ReceivedEvent } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { edit, move, read } from './message-changes.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const channel = await createChannel(service, [ada, bo]);

const refuse = async (
  client: Client,
  messageId: number,
  params: Params,
  msg: string,
  refusal: Params = {},
) => {
  const before = await read(ada, messageId);
  expectRefusal(await edit(client, messageId, params), msg, refusal);
  expect(await read(ada, messageId)).toEqual(before);
};

describe('Editing the text of a message', () => {
  let messageId: number;
  beforeEach(async () => {
    messageId = await ada.send(channel.name, 'logo', 'hi');
  });

  test('Keeps the text of a simultaneous edit in the history', async () => {
    interrupt(service, { transact: writes(logKeys.entry(messageId)) }, () =>
      edit(ada, messageId, { content: 'second' }),
    );
    expect((await edit(ada, messageId, { content: 'third' })).status).toBe(200);
    const { message, raw_content: source } = await read(bo, messageId);
    expect(source).toBe('third');
    expect(message.edit_history).toMatchObject([{ prev_content: 'second' }, { prev_content: 'hi' }]);
  });

  test('Returns the new text, the time of the change, and the earlier text', async () => {
    expect((await edit(ada, messageId, { content: 'hi **you**' })).body.detached_uploads).toEqual([]);
    const { message, raw_content: source } = await read(bo, messageId);
    expect(source).toBe('hi **you**');
    expect(message).toMatchObject({
      content: '<p>hi <strong>you</strong></p>',
      edit_history: [{ user_id: ada.userId, prev_content: 'hi', prev_rendered_content: '<p>hi</p>' }],
    });
    expect(message.last_edit_timestamp).toBe(message.edit_history[0].timestamp);
    expect(message).not.toHaveProperty('last_moved_timestamp');
    const page = await bo.get('/messages', { anchor: messageId, num_before: 0, num_after: 0 });
    expect(page.body.messages[0]).toMatchObject({ edit_history: message.edit_history });
  });

  test('Notifies recipients in one event with both texts', async () => {
    const queue = await bo.listen({ event_types: ['update_message'], apply_markdown: true });
    await bo.post('/messages/flags', { messages: [messageId], op: 'add', flag: 'starred' });
    await edit(ada, messageId, { content: '/me waves' });
    const [event] = await queue.drain();
    expect(event).toEqual({
      id: expect.any(Number),
      type: 'update_message',
      user_id: ada.userId,
      rendering_only: false,
      message_id: messageId,
      message_ids: [messageId],
      flags: ['starred'],
      edit_timestamp: expect.any(Number),
      stream_id: channel.channelId,
      stream_name: channel.name,
      orig_content: 'hi',
      orig_rendered_content: '<p>hi</p>',
      content: '/me waves',
      rendered_content: expect.stringContaining('waves'),
      is_me_message: true,
    });
  });

  test('Shows the same to a client that registers afterwards, in channels and in conversations', async () => {
    const direct = await ada.sendDirect([bo.userId], 'psst');
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      expect((await edit(ada, messageId, { content: 'one' })).status).toBe(200);
      expect((await edit(ada, direct, { content: 'two' })).status).toBe(200);
    });
    expect((await read(bo, direct)).raw_content).toBe('two');
  });

  test('Sends a late queue the current message, and then the change', async () => {
    const queue = await bo.listen({ event_types: ['message', 'update_message'], apply_markdown: false });
    const secret = await ada.send(channel.name, 'logo', 'my password');
    await edit(ada, secret, { content: 'oops' });
    const events = await queue.drain();
    expect(events.map(({ type }) => type)).toEqual(['message', 'update_message']);
    expect(events[0]?.message).toMatchObject({ id: secret, content: 'oops' });
  });

  test('Removes the text if the new one is empty', async () => {
    await edit(ada, messageId, { content: '  ' });
    expect((await read(bo, messageId)).raw_content).toBe('(deleted)');
  });

  test('Changes nothing if the text is the same', async () => {
    expect((await edit(ada, messageId, { content: 'hi' })).status).toBe(200);
    expect((await read(bo, messageId)).message).not.toHaveProperty('edit_history');
  });

  test('Keeps reactions, stars and unread flags', async () => {
    await bo.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' });
    await bo.post('/messages/flags', { messages: [messageId], op: 'add', flag: 'starred' });
    await edit(ada, messageId, { content: 'ho' });
    const { message } = await read(bo, messageId);
    expect(message.reactions).toHaveLength(1);
    expect(message.flags).toEqual(['starred']);
  });

  test('Fails if the text has changed since the client read it', async () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const wrong = { content: 'x', prev_content_sha256: hash('ho') };
    const msg = "'old' value does not match the expected value.";
    await refuse(ada, messageId, wrong, msg, { code: 'EXPECTATION_MISMATCH' });
    const right = await edit(ada, messageId, { content: 'x', prev_content_sha256: hash('hi') });
    expect(right.status).toBe(200);
  });

  test('Works only for its author', async () => {
    for (const client of [bo, service.owner])
      await refuse(client, messageId, { content: 'mine' }, "You don't have permission to edit this message");
  });

  test('Ends some seconds after the time limit, and never without one', async () => {
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 60 });
    service.advance(75_000);
    await edit(ada, messageId, { content: 'in time' });
    expect((await read(ada, messageId)).raw_content).toBe('in time');
    service.advance(10_000);
    await refuse(ada, messageId, { content: 'late' }, 'The time limit for editing this message has passed');
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' });
    await edit(ada, messageId, { content: 'late' });
    expect((await read(ada, messageId)).raw_content).toBe('late');
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 600 });
  });

  test('Fails if the organization turned editing off', async () => {
    await service.owner.patch('/realm', { allow_message_editing: false });
    await refuse(ada, messageId, { content: 'x' }, 'Your organization has turned off message editing');
    await service.owner.patch('/realm', { allow_message_editing: true });
  });

  test.each([
    [{}, 'Nothing to change'],
    [{ topic: 'logo' }, 'Nothing to change'],
    [{ propagate_mode: 'change_all', content: 'x' }, 'Invalid propagate_mode without topic edit'],
    [{ content: 'x', stream_id: 999 }, 'Cannot change message content while changing channel'],
    [{ content: 'a\0b' }, 'Message must not contain null bytes'],
    [{ propagate_mode: 'all', topic: 'x' }, 'Invalid propagate_mode'],
  ])('Refuses %j', async (params, msg) => {
    await refuse(ada, messageId, params, msg);
  });

  test('Accepts the older name of the topic parameter', async () => {
    await edit(ada, messageId, { subject: 'after' });
    expect((await read(ada, messageId)).message.subject).toBe('after');
  });

  test('Does not count the message’s own channel as a move', async () => {
    const queue = await bo.listen({ event_types: ['update_message'] });
    const own = { stream_id: channel.channelId };
    await refuse(ada, messageId, own, 'Nothing to change');
    expect((await edit(ada, messageId, { ...own, content: 'in its own channel' })).status).toBe(200);
    const [event] = await queue.drain();
    expect(event).toMatchObject({ content: 'in its own channel' });
    expect(event).not.toHaveProperty('new_stream_id');
  });

  test.each([
    [{ topic: 'x' }, 'Direct messages cannot have topics.'],
    [{ stream_id: 1 }, 'Direct messages cannot be moved to channels.'],
  ])('Refuses %j for direct messages', async (params, msg) => {
    await refuse(ada, await ada.sendDirect([bo.userId], 'psst'), params, msg);
  });

  test('Costs units by the size of its texts', async () => {
    const long = await ada.send(channel.name, 'logo', 'x'.repeat(200));
    const { write } = await unitsOf(service, () => edit(ada, long, { content: 'y'.repeat(200) }));
    expect(write).toBeLessThanOrEqual(13);
  });
});

describe('The history of a message', () => {
  const getHistory = (client: Client, id: number, params: Params = {}) =>
    client.get(`/messages/${id}/history`, params);
  const historyOf = async (client: Client, id: number, params: Params = {}): Promise<ReceivedEvent[]> =>
    (await getHistory(client, id, params)).body.message_history;
  const setVisibility = (policy: string) =>
    service.owner.patch('/realm', { message_edit_history_visibility_policy: policy });

  test('Returns each state, oldest first, with the one before', async () => {
    const id = await ada.send(channel.name, 'history', 'one two');
    await edit(ada, id, { content: 'one three' });
    await edit(bo, id, { topic: 'elsewhere', send_notification_to_new_thread: false });
    const second = {
      timestamp: expect.any(Number),
      content: 'one three',
      rendered_content: '<p>one three</p>',
    };
    expect(await historyOf(bo, id)).toEqual([
      {
        topic: 'history',
        content: 'one two',
        rendered_content: '<p>one two</p>',
        timestamp: expect.any(Number),
        user_id: ada.userId,
      },
      {
        ...second,
        topic: 'history',
        user_id: ada.userId,
        prev_content: 'one two',
        prev_rendered_content: '<p>one two</p>',
        content_html_diff:
          '<div><p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p></div>',
      },
      { ...second, topic: 'elsewhere', user_id: bo.userId, prev_topic: 'history' },
    ]);
  });

  test('Has no texts if only moves are visible, and fails if nothing is', async () => {
    const id = await ada.send(channel.name, 'history', 'secret');
    await edit(ada, id, { content: 'nothing' });
    await setVisibility('moves');
    expect(JSON.stringify(await historyOf(bo, id))).not.toContain('secret');
    expect((await read(bo, id)).message).not.toHaveProperty('edit_history');
    await setVisibility('none');
    expectRefusal(await getHistory(bo, id), 'Message edit history is disabled in this organization');
    await setVisibility('all');
    expect((await historyOf(bo, id))[0]).toMatchObject({ content: 'secret' });
  });

  test('Returns only moves, with or without a text, if only moves are visible', async () => {
    const id = await ada.send(channel.name, 'history', 'secret');
    await edit(ada, id, { content: 'nothing' });
    await move(ada, id, { topic: 'both', content: 'still nothing' });
    await move(bo, id, { topic: 'last' });
    await setVisibility('moves');
    const states = await historyOf(bo, id);
    const { message } = await read(bo, id);
    await setVisibility('all');
    const timestamp = expect.any(Number);
    const text = { timestamp, content: 'still nothing', rendered_content: '<p>still nothing</p>' };
    expect(states).toEqual([
      { ...text, topic: 'history', user_id: ada.userId },
      { ...text, topic: 'both', prev_topic: 'history', user_id: ada.userId },
      { ...text, topic: 'last', prev_topic: 'both', user_id: bo.userId },
    ]);
    expect(message.edit_history).toEqual([
      { user_id: bo.userId, timestamp, prev_topic: 'both', topic: 'last' },
      { user_id: ada.userId, timestamp, prev_topic: 'history', topic: 'both' },
    ]);
  });

  test('Names the channels of a move only to users who know both', async () => {
    const hidden = await createChannel(service, [ada], { invite_only: true });
    const [whole, renamed, rewritten] = [
      await ada.send(hidden.name, 'history', 'one'),
      await ada.send(hidden.name, 'history', 'two'),
      await ada.send(hidden.name, 'history', 'three'),
    ] as [number, number, number];
    const there = { stream_id: channel.channelId };
    await move(ada, whole, there);
    await move(ada, renamed, { ...there, topic: 'elsewhere' });
    await edit(ada, rewritten, { content: 'more' });
    await move(ada, rewritten, there);
    const channelsOf = async (reader: Client, id: number) =>
      (await historyOf(reader, id)).map(({ prev_stream, stream, prev_topic, prev_content }) => ({
        prev_stream,
        stream,
        prev_topic,
        prev_content,
      }));
    const moved = { prev_stream: hidden.channelId, stream: channel.channelId };
    expect(await channelsOf(ada, whole)).toEqual([{}, moved]);
    expect(await channelsOf(ada, renamed)).toEqual([{}, { ...moved, prev_topic: 'history' }]);
    expect(await channelsOf(ada, rewritten)).toEqual([{}, { prev_content: 'three' }, moved]);
    expect(await channelsOf(bo, whole)).toEqual([{}]);
    expect(await channelsOf(bo, renamed)).toEqual([{}, { prev_topic: 'history' }]);
    expect(await channelsOf(bo, rewritten)).toEqual([{}, { prev_content: 'three' }]);
  });

  test('Shows the empty topic by its display name unless the client supports empty topics', async () => {
    const id = await ada.send(channel.name, '', 'history');
    await edit(ada, id, { topic: 'named', send_notification_to_new_thread: false });
    const topics = async (params: object = {}) =>
      (await historyOf(bo, id, { ...params })).flatMap(({ topic, prev_topic }) => [topic, prev_topic]);
    expect(await topics()).toEqual(['general chat', undefined, 'named', 'general chat']);
    expect(await topics({ allow_empty_topic_name: true })).toEqual(['', undefined, 'named', '']);
  });

  test('Keeps the newest 50 texts, also if the message moves', async () => {
    const id = await ada.send(channel.name, 'history', 'text 0');
    for (let n = 1; n <= 52; n++) await edit(ada, id, { content: `text ${n}` });
    const textsKept = async () => (await historyOf(bo, id)).map(({ content }) => content);
    expect(await textsKept()).toEqual(Array.from({ length: 51 }, (_, n) => `text ${n + 2}`));
    await move(ada, id, { topic: 'elsewhere', content: 'text 53' });
    expect(await textsKept()).toEqual(Array.from({ length: 51 }, (_, n) => `text ${n + 3}`));
  });
});
