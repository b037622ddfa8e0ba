// The operations setEditTyping and setTyping.
import { describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

const CAPABLE = { client_capabilities: { stream_typing_notifications: true, empty_topic_name: true } };

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const typing = (user: Client, params: Params): Promise<Reply> =>
  user.post('/typing', { op: 'start', ...params });
const editing = (user: Client, messageId: number, params: Params = {}): Promise<Reply> =>
  user.post(`/messages/${messageId}/typing`, { op: 'start', ...params });
const inRoom = (): Params => ({ type: 'channel', stream_id: room.channelId, topic: 'logo' });
async function expectTyping(user: Client, params: Params): Promise<void> {
  const { status, body } = await typing(user, params);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
}
const person = ({ userId, email }: Client) => ({ user_id: userId, email });
const NO_DIRECT = 'User has disabled typing notifications for direct messages';
const NO_CHANNEL = 'User has disabled typing notifications for channel messages';

describe('Typing a direct message', () => {
  test('Sends an event to its participants, the typist included, and to no other user', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const [adas, bos, cys] = await listenAll([ada, bo, cy]);
    for (const op of ['start', 'stop']) {
      await expectTyping(ada, { op, to: [bo.userId] });
      const recipients = [person(ada), person(bo)];
      const event = { type: 'typing', op, message_type: 'direct', sender: person(ada), recipients };
      for (const queue of [adas, bos])
        expect(await queue.drain()).toEqual([{ id: expect.any(Number), ...event }]);
    }
    expect(await cys.drain()).toEqual([]);
  });

  test('May address several people or the typist alone', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const queue = await cy.listen();
    await expectTyping(ada, { type: 'direct', to: [cy.userId, bo.userId, cy.userId] });
    expect(await queue.drain()).toMatchObject([{ recipients: [ada, bo, cy].map(person) }]);
    await expectTyping(cy, { to: [cy.userId] });
    expect(await queue.drain()).toMatchObject([{ recipients: [person(cy)] }]);
  });
});

describe('Typing in a channel', () => {
  test('Sends an event to its subscribers whose clients support it', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const queues = await listenAll([ada, bo], CAPABLE);
    const others = [await bo.listen(), ...(await listenAll([cy, service.owner], CAPABLE))];
    for (const type of ['channel', 'stream']) await expectTyping(ada, { ...inRoom(), type });
    const place = { stream_id: room.channelId, topic: 'logo' };
    const event = { type: 'typing', op: 'start', message_type: 'stream', sender: person(ada), ...place };
    for (const queue of queues)
      expect(await queue.drain()).toEqual([1, 2].map(() => ({ id: expect.any(Number), ...event })));
    for (const queue of others) expect(await queue.drain()).toEqual([]);
  });

  test('Names the empty topic for older clients', async () => {
    const capable = await bo.listen(CAPABLE);
    const old = await bo.listen({ client_capabilities: { stream_typing_notifications: true } });
    const { topic: _topic, ...elsewhere } = inRoom();
    await expectTyping(ada, { ...elsewhere, subject: '(no topic)' });
    expect(await capable.drain()).toMatchObject([{ topic: '' }]);
    expect(await old.drain()).toMatchObject([{ topic: 'general chat' }]);
  });

  test('Sends no event in a channel with more than 100 subscribers', async () => {
    const { channelId } = await createChannel(service, [ada, bo]);
    const queue = await bo.listen(CAPABLE);
    const resize = async (size: number) => {
      const key = channelKeys.channel(channelId);
      await service.services.table.write({ kind: 'update', key, set: { subscriberCount: size } });
      await expectTyping(ada, { ...inRoom(), stream_id: channelId });
      return (await queue.drain()).length;
    };
    await subscribeInBulk(service, channelId, 99);
    expect(await resize(101)).toBe(0);
    expect(await resize(100)).toBe(1);
  });
});

describe('The typing settings', () => {
  test('Hide from others that the user is typing', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const { channelId } = await createChannel(service, [cy, bo]);
    const inChannel = { ...inRoom(), stream_id: channelId };
    await cy.patch('/settings', { send_private_typing_notifications: false });
    expectRefusal(await typing(cy, { to: [bo.userId] }), NO_DIRECT);
    await expectTyping(cy, inChannel);
    const changes = { send_private_typing_notifications: true, send_stream_typing_notifications: false };
    await cy.patch('/settings', changes);
    expectRefusal(await typing(cy, inChannel), NO_CHANNEL);
    await expectTyping(cy, { to: [bo.userId] });
  });

  test('Hide from the user that others are typing', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const { channelId } = await createChannel(service, [ada, cy]);
    const both = async () => {
      const queue = await cy.listen(CAPABLE);
      await expectTyping(ada, { ...inRoom(), stream_id: channelId });
      await expectTyping(ada, { to: [cy.userId] });
      return (await queue.drain()).filter(({ type }) => type === 'typing').length;
    };
    await cy.patch('/settings', { receives_typing_notifications: false });
    expect(await both()).toBe(0);
    await cy.patch('/settings', { receives_typing_notifications: true });
    expect(await both()).toBe(2);
  });
});

describe('Any typing event', () => {
  test('Costs one entry of the log', async () => {
    const { read, write } = await unitsOf(service, () => expectTyping(ada, inRoom()));
    expect(write).toBe(2);
    expect(read).toBeLessThanOrEqual(4);
  });

  test('Changes nothing in register', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const messageId = await ada.sendDirect([bo.userId], 'hello');
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      for (const op of ['start', 'stop']) await editing(ada, messageId, { op });
      await expectTyping(ada, inRoom());
      for (const op of ['start', 'stop']) await expectTyping(ada, { op, to: [bo.userId, guest.userId] });
    });
  });

  test.each([
    [{ op: 'pause' }, 'Invalid op'],
    [{ type: 'private' }, 'Invalid type'],
    [{ to: [] }, "Empty 'to' list"],
    [{ to: [99_999] }, 'Invalid user ID 99999'],
    [{ to: Array.from({ length: 501 }, (_, n) => n) }, 'Too many recipients (maximum 500).'],
    [{ type: 'channel', stream_id: 1 }, 'Missing topic'],
    [{ type: 'channel', stream_id: 1, topic: 'a\u0001' }, 'Invalid character in topic, at position 2!'],
  ])('Fails with %j', async (params, msg) => {
    const queue = await ada.listen(CAPABLE);
    expectRefusal(await typing(ada, params), msg);
    expect(await queue.drain()).toEqual([]);
  });

  test('Fails without a recipient', async () => {
    expectMissing(await typing(ada, {}), 'to');
    expectMissing(await typing(ada, { type: 'stream', topic: 'x' }), 'stream_id');
  });

  test('Fails if the user may not send there', async () => {
    const secret = await createChannel(service, [bo], { invite_only: true });
    const quiet = await createChannel(service, [service.owner, ada], { can_send_message_group: 3 });
    for (const stream_id of [secret.channelId, 99_999]) {
      const reply = await typing(ada, { ...inRoom(), stream_id });
      const refusal = { code: 'STREAM_DOES_NOT_EXIST', stream_id };
      expectRefusal(reply, `Channel with ID '${stream_id}' does not exist`, refusal);
    }
    const stream_id = quiet.channelId;
    const msg = 'You do not have permission to post in this channel.';
    expectRefusal(await typing(ada, { ...inRoom(), stream_id }), msg);
  });
});

const [cy] = await createUsers(service, 'Cy');

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
    const bos = await bo.listen(CAPABLE);
    const old = await bo.listen({ client_capabilities: { stream_typing_notifications: true } });
    const others = [await bo.listen(), await cy.listen(CAPABLE)];
    const recipient = { type: 'channel', channel_id: room.channelId, topic: '' };
    const about = { sender_id: ada.userId, message_id: messageId, recipient };
    for (const op of ['start', 'stop']) {
      const { status, body } = await editing(ada, messageId, { op });
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      const event = { id: expect.any(Number), type: 'typing_edit_message', op, ...about };
      expect(await bos.drain()).toEqual([event]);
    }
    expect(await old.drain()).toMatchObject([{ recipient: { topic: 'general chat' } }, {}]);
    for (const queue of others) expect(await queue.drain()).toEqual([]);
  });

  test('Goes to the participants of a conversation', async () => {
    const messageId = await ada.sendDirect([bo.userId], 'hello');
    const [bos, cys] = await listenAll([bo, cy]);
    await editing(ada, messageId);
    const recipient = { type: 'direct', user_ids: [ada.userId, bo.userId] };
    expect(await bos.drain()).toMatchObject([{ type: 'typing_edit_message', recipient }]);
    expect(await cys.drain()).toEqual([]);
  });

  test('Respects the settings of both sides', async () => {
    const { channelId } = await createChannel(service, [cy, bo]);
    const [post, direct] = [await cy.send(channelId, 'x', 'x'), await cy.sendDirect([bo.userId], 'x')];
    const changes = { send_stream_typing_notifications: false, send_private_typing_notifications: false };
    await cy.patch('/settings', changes);
    expectRefusal(await editing(cy, post), NO_CHANNEL);
    expectRefusal(await editing(cy, direct), NO_DIRECT);
    await bo.patch('/settings', { receives_typing_notifications: false });
    const queue = await bo.listen(CAPABLE);
    await editing(ada, await ada.send(room.channelId, 'x', 'x'));
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['message']);
    await bo.patch('/settings', { receives_typing_notifications: true });
  });

  test('Cannot be sent with an unknown operation, nor for messages that the user may not edit', async () => {
    const messageId = await ada.send(room.channelId, 'x', 'hello');
    expectRefusal(await editing(ada, messageId, { op: 'pause' }), 'Invalid op');
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
});
