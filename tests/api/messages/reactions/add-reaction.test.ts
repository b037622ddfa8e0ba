import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectReact, heart, react, reactionsOf, tada } from './reactions.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const post = (): Promise<number> => ada.send(room.channelId, 'topic', 'hello');
const exists = { code: 'REACTION_ALREADY_EXISTS' };

describe('Adding a reaction', () => {
  test('Notifies every user who has the message, and returns it with the message', async () => {
    const messageId = await post();
    const queues = [await ada.listen(), await bo.listen()];
    await expectReact(bo, messageId);
    const event = { type: 'reaction', op: 'add', user_id: bo.userId, message_id: messageId, ...tada };
    for (const queue of queues) expect(await queue.drain()).toEqual([{ id: expect.any(Number), ...event }]);
    const reactions = [{ ...tada, user_id: bo.userId }];
    expect(await reactionsOf(ada, messageId)).toEqual(reactions);
    const page = { anchor: messageId, num_before: 0, num_after: 0 };
    for (const narrow of [
      [],
      [['channel', room.name]],
      [['id', String(messageId)]],
      [['sender', ada.email]],
    ]) {
      const { body } = await bo.get('/messages', { ...page, narrow });
      expect(body.messages).toMatchObject([{ id: messageId, reactions }]);
    }
    const { body } = await bo.get('/messages', { message_ids: [messageId] });
    expect(body.messages).toMatchObject([{ id: messageId, reactions }]);
  });

  test('Requires only a name', async () => {
    const messageId = await post();
    for (const [emoji_name, emoji_code, reaction_type] of [
      ['tada', '1f389', 'unicode_emoji'],
      ['smile', '1f642', 'unicode_emoji'],
      ['palm_tree', '1f334', 'unicode_emoji'],
      ['rainbow_flag', '1f3f3-200d-1f308', 'unicode_emoji'],
      ['zulip', 'zulip', 'zulip_extra_emoji'],
    ]) {
      await expectReact(ada, messageId, { emoji_name });
      expect((await reactionsOf(ada, messageId)).at(-1)).toEqual({
        emoji_name,
        emoji_code,
        reaction_type,
        user_id: ada.userId,
      });
    }
  });

  test('Keeps the order in which people reacted, with one emoji and with others', async () => {
    const messageId = await post();
    const people = await createUsers(service, 'Cy', 'Di', 'Ed');
    for (const user of people)
      await service.owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: room.name }],
        principals: [user.userId],
      });
    const [cy, di, ed] = people;
    const order: [Client, Params][] = [
      [ed, heart],
      [cy, tada],
      [di, heart],
      [cy, heart],
      [ada, tada],
    ];
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      for (const [user, emoji] of order) await expectReact(user, messageId, emoji);
    });
    expect(await reactionsOf(bo, messageId)).toEqual(
      order.map(([user, emoji]) => ({ ...emoji, user_id: user.userId })),
    );
  });

  test('Uses the existing name if the emoji is there already', async () => {
    const messageId = await post();
    await expectReact(ada, messageId, { ...tada, emoji_name: 'party_of_another_list' });
    const queue = await ada.listen();
    await expectReact(bo, messageId);
    expect(await queue.drain()).toMatchObject([{ emoji_name: 'party_of_another_list', emoji_code: '1f389' }]);
    expect(await reactionsOf(ada, messageId)).toMatchObject([
      { emoji_name: 'party_of_another_list' },
      { emoji_name: 'party_of_another_list' },
    ]);
  });

  test('Works for every user who can read the message, guests and bots too', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const bot = await createUser(service, 'Bot');
    await service.makeBot(bot, ada);
    const { channelId } = await createChannel(service, [ada, guest]);
    const messageId = await ada.send(channelId, 'topic', 'hello');
    for (const user of [ada, bo, guest, bot, service.owner]) await expectReact(user, messageId);
  });

  test('Works for a direct message, and only its participants are notified', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const messageId = await ada.sendDirect([bo.userId], 'psst');
    const [adas, bos, cys] = [await ada.listen(), await bo.listen(), await cy.listen()];
    await expectReact(bo, messageId);
    for (const queue of [adas, bos])
      expect(await queue.drain()).toMatchObject([{ type: 'reaction', message_id: messageId }]);
    expect(await cys.drain()).toEqual([]);
  });

  test('Happens once, however many requests race', async () => {
    const messageId = await post();
    const queue = await ada.listen();
    const replies = await Promise.all([1, 2, 3, 4].map(() => react(bo, messageId)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expectRefusal(reply, 'Reaction already exists.', exists);
    expect(await queue.drain()).toHaveLength(1);
  });
});

describe('The event of a reaction', () => {
  const newsOf = async (readers: Client[], act: () => Promise<unknown>): Promise<boolean[]> => {
    const queues = await Promise.all(readers.map((reader) => reader.listen({ event_types: ['reaction'] })));
    await act();
    return Promise.all(queues.map(async (queue) => (await queue.drain()).length > 0));
  };

  test('Goes to new subscribers if they may read old messages, and to no member without a subscription', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    for (const [params, isTold] of [
      [{}, true],
      [{ invite_only: true, history_public_to_subscribers: true }, true],
      [{ invite_only: true, history_public_to_subscribers: false }, false],
    ] as const) {
      const { name, channelId } = await createChannel(service, [ada, bo], params);
      const messageId = await ada.send(channelId, 'topic', 'hello');
      await ada.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [cy.userId] });
      await service.settle();
      const readers = [ada, bo, cy, di, service.owner];
      expect(await newsOf(readers, () => expectReact(bo, messageId))).toEqual([
        true,
        true,
        isTold,
        false,
        false,
      ]);
    }
  });

  test('Goes to people who left a public channel, and not to people who left a private one', async () => {
    for (const [invite_only, isTold] of [
      [false, true],
      [true, false],
    ]) {
      const { name, channelId } = await createChannel(service, [ada, bo], { invite_only });
      const messageId = await ada.send(channelId, 'topic', 'hello');
      await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
      await service.settle();
      expect(await newsOf([ada, bo], () => expectReact(ada, messageId))).toEqual([true, isTold]);
    }
  });
});

describe('A reaction is refused', () => {
  test('If it exists already, under any name', async () => {
    const messageId = await post();
    await expectReact(ada, messageId);
    for (const emoji of [tada, { emoji_name: 'tada' }, { ...tada, emoji_name: 'no such name!' }])
      expectRefusal(await react(ada, messageId, emoji), 'Reaction already exists.', exists);
    expect(await reactionsOf(ada, messageId)).toHaveLength(1);
  });

  test.each([
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ emoji_name: 'no_such_emoji', emoji_code: '1f389' }, "Emoji 'no_such_emoji' does not exist"],
    [{ ...tada, emoji_name: 'heart' }, 'Invalid emoji name.'],
    [{ ...tada, emoji_name: 'x'.repeat(101) }, 'Invalid emoji name.'],
    [{ ...tada, emoji_code: '1f38' }, 'Invalid emoji code.'],
    [{ ...tada, emoji_code: '1f44d-1f3fd' }, 'Invalid emoji code.'],
    [{ ...tada, emoji_code: 'f'.repeat(5000) }, 'Invalid emoji code.'],
    [{ ...tada, reaction_type: 'emoji' }, 'Invalid emoji type.'],
    [{ ...tada, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ emoji_name: 'green_tick', emoji_code: '1', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ ...tada, reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji code.'],
    [{ emoji_name: 'tada', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji name.'],
  ])('With %j', async (emoji, msg) => {
    const messageId = await post();
    expectRefusal(await react(ada, messageId, emoji), msg);
    expect(await reactionsOf(ada, messageId)).toEqual([]);
  });
});
