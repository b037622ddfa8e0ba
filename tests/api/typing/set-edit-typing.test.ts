import { describe, expect, test } from 'vitest';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const CAPABLE = { client_capabilities: { stream_typing_notifications: true, empty_topic_name: true } };

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const room = await createChannel(service, [ada, bo]);

const editing = (user: Client, messageId: number, params: Params = {}): Promise<Reply> =>
  user.post(`/messages/${messageId}/typing`, { op: 'start', ...params });

describe('The typing event of an edit', () => {
  test('Goes to at most 100 subscribers of a channel', async () => {
    const crowd = await createChannel(service, [ada, bo]);
    const messageId = await ada.send(crowd.channelId, 'many', 'hello');
    await subscribeInBulk(service, crowd.channelId, 98, { after: 2 });
    const queue = await bo.listen(CAPABLE);
    expect((await editing(ada, messageId)).status).toBe(200);
    expect(await queue.drain()).toMatchObject([{ type: 'typing_edit_message' }]);
    await cy.subscribe(crowd.name);
    await queue.drain();
    expect((await editing(ada, messageId)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test('Goes to users who have the message and whose clients support it', async () => {
    const messageId = await ada.send(room.channelId, '', 'hello');
    const [bos, old] = [
      await bo.listen(CAPABLE),
      await bo.listen({ client_capabilities: { stream_typing_notifications: true } }),
    ];
    const others = [await bo.listen(), await cy.listen(CAPABLE)];
    for (const op of ['start', 'stop']) {
      const { status, body } = await editing(ada, messageId, { op });
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      expect(await bos.drain()).toEqual([
        {
          id: expect.any(Number),
          type: 'typing_edit_message',
          op,
          sender_id: ada.userId,
          message_id: messageId,
          recipient: { type: 'channel', channel_id: room.channelId, topic: '' },
        },
      ]);
    }
    expect(await old.drain()).toMatchObject([{ recipient: { topic: 'general chat' } }, {}]);
    for (const queue of others) expect(await queue.drain()).toEqual([]);
  });

  test('Goes to the participants of a conversation', async () => {
    const messageId = await ada.sendDirect([bo.userId], 'hello');
    const [bos, cys] = [await bo.listen(), await cy.listen()];
    await editing(ada, messageId);
    const recipient = { type: 'direct', user_ids: [ada.userId, bo.userId] };
    expect(await bos.drain()).toMatchObject([{ type: 'typing_edit_message', recipient }]);
    expect(await cys.drain()).toEqual([]);
  });

  test('Respects the settings of both sides', async () => {
    const { channelId } = await createChannel(service, [cy, bo]);
    const [post, direct] = [await cy.send(channelId, 'x', 'x'), await cy.sendDirect([bo.userId], 'x')];
    await cy.patch('/settings', {
      send_stream_typing_notifications: false,
      send_private_typing_notifications: false,
    });
    expectRefusal(await editing(cy, post), 'User has disabled typing notifications for channel messages');
    expectRefusal(await editing(cy, direct), 'User has disabled typing notifications for direct messages');
    await bo.patch('/settings', { receives_typing_notifications: false });
    const queue = await bo.listen(CAPABLE);
    await editing(ada, await ada.send(room.channelId, 'x', 'x'));
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['message']);
    await bo.patch('/settings', { receives_typing_notifications: true });
  });

  test('Changes nothing in register', async () => {
    const messageId = await ada.sendDirect([bo.userId], 'hello');
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      for (const op of ['start', 'stop']) await editing(ada, messageId, { op });
    });
  });

  test('Cannot be sent for messages that the user may not edit', async () => {
    const messageId = await ada.send(room.channelId, 'x', 'hello');
    expectRefusal(await editing(bo, messageId), "You don't have permission to edit this message");
    const secret = await createChannel(service, [bo], { invite_only: true });
    const hidden = await bo.send(secret.channelId, 'x', 'x');
    for (const id of [hidden, 999_999, 0]) expectRefusal(await editing(ada, id), 'Invalid message(s)');
    await service.owner.patch('/realm', { allow_message_editing: false });
    expectRefusal(await editing(ada, messageId), 'Your organization has turned off message editing');
    await service.owner.patch('/realm', { allow_message_editing: true });
  });

  test('Cannot be sent after the time limit for editing', async () => {
    const messageId = await ada.send(room.channelId, 'x', 'hello');
    service.advance(601_000);
    expectRefusal(await editing(ada, messageId), 'The time limit for editing this message has passed');
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' });
    expect((await editing(ada, messageId)).status).toBe(200);
    await service.owner.patch('/realm', { message_content_edit_limit_seconds: 600 });
  });

  test('Requires a known operation', async () => {
    const messageId = await ada.send(room.channelId, 'x', 'hello');
    expectRefusal(await editing(ada, messageId, { op: 'pause' }), 'Invalid op');
  });
});
