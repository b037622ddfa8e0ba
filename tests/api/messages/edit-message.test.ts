import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { edit, read } from './message-changes.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const channel = await createChannel(service, [ada, bo]);

const refused = async (client: Client, messageId: number, params: Params, msg: string) => {
  const before = await read(ada, messageId);
  const { status, body } = await edit(client, messageId, params);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg });
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
    const { status, body } = await edit(ada, messageId, { content: 'hi **you**' });
    expect(status).toBe(200);
    expect(body.detached_uploads).toEqual([]);
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
    const wrong = await edit(ada, messageId, { content: 'x', prev_content_sha256: hash('ho') });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      msg: "'old' value does not match the expected value.",
    });
    const right = await edit(ada, messageId, { content: 'x', prev_content_sha256: hash('hi') });
    expect(right.status).toBe(200);
  });

  test('Works only for its author', async () => {
    for (const client of [bo, service.owner])
      await refused(client, messageId, { content: 'mine' }, "You don't have permission to edit this message");
  });

  test('Ends some seconds after the time limit, and never without one', async () => {
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 60 });
    service.advance(75_000);
    await edit(ada, messageId, { content: 'in time' });
    expect((await read(ada, messageId)).raw_content).toBe('in time');
    service.advance(10_000);
    await refused(ada, messageId, { content: 'late' }, 'The time limit for editing this message has passed');
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' });
    await edit(ada, messageId, { content: 'late' });
    expect((await read(ada, messageId)).raw_content).toBe('late');
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 600 });
  });

  test('Fails if the organization turned editing off', async () => {
    await service.owner.patch('/realm', { allow_message_editing: false });
    await refused(ada, messageId, { content: 'x' }, 'Your organization has turned off message editing');
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
    await refused(ada, messageId, params, msg);
  });

  test('Accepts the older name of the topic parameter', async () => {
    const id = await ada.send(channel.name, 'before', 'x');
    expect((await edit(ada, id, { subject: 'after' })).status).toBe(200);
    expect((await ada.get(`/messages/${id}`)).body.message.subject).toBe('after');
  });

  test('Does not count the message’s own channel as a move', async () => {
    const queue = await bo.listen({ event_types: ['update_message'] });
    const own = { stream_id: channel.channelId };
    await refused(ada, messageId, own, 'Nothing to change');
    expect((await edit(ada, messageId, { ...own, content: 'in its own channel' })).status).toBe(200);
    const [event] = await queue.drain();
    expect(event).toMatchObject({ content: 'in its own channel' });
    expect(event).not.toHaveProperty('new_stream_id');
  });

  test.each([
    [{ topic: 'x' }, 'Direct messages cannot have topics.'],
    [{ stream_id: 1 }, 'Direct messages cannot be moved to channels.'],
  ])('Refuses %j for direct messages', async (params, msg) => {
    await refused(ada, await ada.sendDirect([bo.userId], 'psst'), params, msg);
  });

  test('Costs units by the size of its texts', async () => {
    const long = await ada.send(channel.name, 'logo', 'x'.repeat(200));
    service.meter.reset();
    await edit(ada, long, { content: 'y'.repeat(200) });
    expect(service.meter.write).toBeLessThanOrEqual(13);
  });
});
