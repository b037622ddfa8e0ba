import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import {
  createChannel,
  createUser,
  createUsers,
  drainMessages,
  idsOf,
  listenAll,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const post = (sender: Client, params: Params, headers: Record<string, string> = {}) => {
  const message = { type: 'channel', to: room.name, topic: 'topic', content: 'hi', ...params };
  return sender.post('/messages', message, { headers });
};

describe('A channel message', () => {
  test('Reaches every subscriber in one event with every field', proves('event-queues.12'), async () => {
    const queue = await bo.listen({ apply_markdown: true });
    const headers = { 'user-agent': 'TestProgram/2.0 (Linux)' };
    const params = { type: 'stream', to: room.name, topic: ' Logo ', content: '**hi**' };
    const { status, body } = await ada.post('/messages', params, { headers });
    expect(status).toBe(200);
    const slug = `${room.channelId}-${room.name.replaceAll(' ', '-')}`;
    const message_url = `${service.url}/#narrow/channel/${slug}/topic/Logo/near/${body.id}`;
    expect(body).toEqual({
      result: 'success',
      msg: '',
      id: expect.any(Number),
      message_url,
      message_link: `[#${room.name} > Logo @ 💬](${message_url})`,
      automatic_new_visibility_policy: 3,
    });
    expect(await queue.drain()).toEqual([
      {
        id: expect.any(Number),
        type: 'message',
        flags: [],
        message: {
          id: body.id,
          type: 'stream',
          stream_id: room.channelId,
          display_recipient: room.name,
          subject: 'Logo',
          recipient_id: expect.any(Number),
          sender_id: ada.userId,
          sender_email: ada.email,
          sender_full_name: 'Ada',
          sender_realm_str: '',
          avatar_url: `/user_avatars/j${ada.userId}.png`,
          client: 'TestProgram',
          content: '<p><strong>hi</strong></p>',
          content_type: 'text/html',
          timestamp: expect.closeTo(Date.now() / 1000, -2),
          is_me_message: false,
          reactions: [],
          submessages: [],
          topic_links: [],
        },
      },
    ]);
  });

  test('Goes to subscribers only, the sender among them, in the order of sending', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const guest = await createUser(service, 'Guest', 600);
    const queues = await listenAll([ada, bo]);
    const strangers = await listenAll([cy, guest, service.owner]);
    const ids = [];
    for (const sender of [ada, bo, ada]) ids.push(await sender.send(room.name, 'topic', 'hi'));
    for (const queue of queues) expect(idsOf(await drainMessages(queue))).toEqual(ids);
    for (const queue of strangers) expect(await queue.drain()).toEqual([]);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('May go to a public channel without a subscription, and the sender gets no event', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const [cys, bos] = [await cy.listen(), await bo.listen()];
    const id = await cy.send(room.channelId, 'topic', 'from outside');
    expect(await drainMessages(cys)).toEqual([]);
    expect(idsOf(await drainMessages(bos))).toEqual([id]);
  });

  test('Reaches the subscribers of a private channel, a guest among them, and no other user', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const secret = await createChannel(service, [ada, guest], { invite_only: true });
    const guests = await guest.listen();
    const others = [await bo.listen(), await service.owner.listen()];
    const id = await ada.send(secret.name, 'topic', 'secret');
    const answer = await guest.send(secret.name, 'topic', 'an answer');
    expect(idsOf(await drainMessages(guests))).toEqual([id, answer]);
    for (const queue of others) expect(await queue.drain()).toEqual([]);
  });
});

describe('The channel parameter', () => {
  test('Accepts its name in any letter case, its id, or either in JSON', async () => {
    const queue = await bo.listen();
    const { name, channelId } = room;
    const forms = [name, name.toUpperCase(), ` ${name} `, JSON.stringify(name), String(channelId)];
    for (const to of [...forms, `[${channelId}]`, JSON.stringify([name])]) {
      const { status, body } = await post(ada, { to });
      expect({ to, status }).toEqual({ to, status: 200 });
      expect(await drainMessages(queue)).toMatchObject([{ id: body.id, stream_id: channelId }]);
    }
  });

  test('Accepts the older words of the protocol too', async () => {
    expect((await post(ada, { type: 'stream', topic: undefined, subject: 'older' })).status).toBe(200);
    const queue = await bo.listen();
    await post(ada, { topic: undefined, subject: 'subject' });
    expect(await drainMessages(queue)).toMatchObject([{ subject: 'subject' }]);
  });
});

describe('A direct message', () => {
  test('Reaches its people and its sender, and names them all by id', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const [adas, bos, cys, dis] = await listenAll([ada, bo, cy, di]);
    const id = await cy.sendDirect([bo.userId, ada.userId], 'psst');
    const everyone = [ada, bo, cy].map(({ userId, email }) => ({
      id: userId,
      email,
      full_name: expect.any(String),
      is_mirror_dummy: false,
    }));
    const expected = { id, type: 'private', subject: '', sender_id: cy.userId, display_recipient: everyone };
    for (const queue of [adas, bos, cys]) {
      const messages = await drainMessages(queue);
      expect(messages).toMatchObject([expected]);
      expect(messages[0]).not.toHaveProperty('stream_id');
    }
    expect(await dis.drain()).toEqual([]);
  });

  test('Accepts ids, addresses in any letter case, or addresses between commas', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const queue = await bo.listen();
    const both = [bo.userId, cy.userId];
    const forms = [
      [bo.userId, `[${bo.userId}]`],
      [bo.userId, String(bo.userId)],
      [bo.userId, JSON.stringify([bo.email])],
      [bo.userId, bo.email.toUpperCase()],
      [both, JSON.stringify(both)],
      [both, `${bo.email}, ${cy.email}`],
      [both, `${bo.email},${ada.email},,${cy.email}`],
      [both, JSON.stringify([...both, ...both, ada.userId])],
    ] as const;
    for (const [people, to] of forms) {
      const { status } = await ada.post('/messages', { type: 'direct', to, content: 'hi' });
      expect({ to, status }).toEqual({ to, status: 200 });
      const [message] = await drainMessages(queue);
      expect(idsOf(message.display_recipient)).toEqual([ada.userId, people].flat());
    }
  });

  test('May go to its sender, and then names them once', async () => {
    const queue = await ada.listen();
    for (const to of [[ada.userId], [ada.userId, ada.userId]]) {
      const id = await ada.sendDirect(to, 'a note');
      expect(await drainMessages(queue)).toMatchObject([{ id, display_recipient: [{ id: ada.userId }] }]);
    }
  });

  test('Ignores the topic and accepts the older word', async () => {
    const queue = await bo.listen();
    const params = { type: 'private', to: [bo.userId], topic: 'topic', content: 'hi' };
    expect((await ada.post('/messages', params)).status).toBe(200);
    expect(await drainMessages(queue)).toMatchObject([{ type: 'private', subject: '' }]);
  });

  test('May be sent by and to guests and bots', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const bot = await createUser(service, 'Bot');
    await service.makeBot(bot, ada);
    const queue = await guest.listen();
    const ids = [await bot.sendDirect([guest.userId], 'hi'), await guest.sendDirect([bot.userId], 'hello')];
    expect(idsOf(await drainMessages(queue))).toEqual(ids);
  });
});

test('Sending keeps the snapshot exact for every user', async () => {
  const [cy] = await createUsers(service, 'Cy');
  const guest = await createUser(service, 'Guest', 600);
  const secret = await createChannel(service, [ada, guest], { invite_only: true });
  await expectConsistentSnapshot(service, [ada, bo, cy, guest, service.owner], async () => {
    await ada.send(room.name, 'one', 'x');
    await bo.send(room.name, 'ONE', 'x', { read_by_sender: true });
    await cy.send(room.name, '', 'from outside');
    await guest.send(secret.name, 'two', 'x');
    await ada.sendDirect([bo.userId, cy.userId], 'x');
    await cy.sendDirect([cy.userId], 'x');
    await guest.sendDirect([ada.userId], 'x', { read_by_sender: true });
  });
});

describe('Local echo', () => {
  test('Goes to the queue that the sender named, and to no other', async () => {
    const [mine, alsoMine, bos] = await listenAll([ada, ada, bo], { event_types: ['message'] });
    await post(ada, { queue_id: mine.queueId, local_id: '31.01' });
    expect(await mine.drain()).toMatchObject([{ type: 'message', local_message_id: '31.01' }]);
    for (const queue of [alsoMine, bos]) {
      const [event] = await queue.drain();
      expect(event).toMatchObject({ type: 'message' });
      expect(event).not.toHaveProperty('local_message_id');
      expect(JSON.stringify(event)).not.toContain('31.01');
    }
  });

  test('Requires both names, and is left out if one is missing, unknown or too long', async () => {
    const mine = await ada.listen();
    const { queueId } = mine;
    for (const params of [
      { queue_id: queueId },
      { local_id: '1' },
      { queue_id: 'nonsense', local_id: '1' },
      { queue_id: queueId, local_id: 'x'.repeat(101) },
    ]) {
      expect((await post(ada, params)).status).toBe(200);
      const [event] = await mine.drain();
      expect(event).toMatchObject({ type: 'message' });
      expect(event).not.toHaveProperty('local_message_id');
    }
  });
});

describe('The sender’s own message', () => {
  const flagsOf = async (params: Params, headers: Record<string, string> = {}) => {
    const [own, others] = await listenAll([ada, bo], { event_types: ['message'] });
    await post(ada, params, headers);
    expect(await others.drain()).toMatchObject([{ flags: [] }]);
    return (await own.drain())[0]?.flags;
  };

  test('Becomes read or unread on request, whatever the program', async () => {
    expect(await flagsOf({ read_by_sender: true })).toEqual(['read']);
    expect(await flagsOf({ read_by_sender: false }, { 'user-agent': 'website' })).toEqual([]);
  });

  test.each([
    ['ZulipMobile/29.0 (Android 14)', ['read']],
    ['ios/1.0', ['read']],
    ['website', ['read']],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', ['read']],
    [
      'Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) ZulipElectron/5.12.4 Safari/537.36',
      ['read'],
    ],
    ['ZulipElectron/5.12.4', ['read']],
    ['zulipterminal', ['read']],
    ['curl/8.0', []],
    ['zulip-python/0.9', []],
  ])('Becomes read by the kind of program: %s', async (agent, flags) => {
    expect(await flagsOf({}, { 'user-agent': agent })).toEqual(flags);
  });

  test('Names the program of the client parameter', async () => {
    expect(await flagsOf({ client: 'My Desktop App' })).toEqual(['read']);
    expect(await flagsOf({ client: 'my script' }, { 'user-agent': 'website' })).toEqual([]);
  });
});
