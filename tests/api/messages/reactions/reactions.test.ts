// The operations addReaction and removeReaction.
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { messageKeys, messagePartitions } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { allIdsIn } from '../message-changes.ts';
import { expectReact, expectUnreact, heart, react, reactionsOf, tada, unreact } from './reactions.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const post = (): Promise<number> => ada.send(room.channelId, 'topic', 'hello');
const exists = { code: 'REACTION_ALREADY_EXISTS' };

describe('Adding a reaction', () => {
  test('Notifies every user who has the message, and returns it with the message', async () => {
    const messageId = await post();
    const queues = await listenAll([ada, bo]);
    await expectReact(bo, messageId);
    const event = { type: 'reaction', op: 'add', user_id: bo.userId, message_id: messageId, ...tada };
    for (const queue of queues) expect(await queue.drain()).toEqual([{ id: expect.any(Number), ...event }]);
    const reactions = [{ ...tada, user_id: bo.userId }];
    expect(await reactionsOf(ada, messageId)).toEqual(reactions);
    const page = { anchor: messageId, num_before: 0, num_after: 0 };
    for (const request of [
      { message_ids: [messageId] },
      { ...page, narrow: [] },
      { ...page, narrow: [['channel', room.name]] },
      { ...page, narrow: [['id', String(messageId)]] },
      { ...page, narrow: [['sender', ada.email]] },
    ]) {
      const { body } = await bo.get('/messages', request);
      expect(body.messages).toMatchObject([{ id: messageId, reactions }]);
    }
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
      const reaction = { emoji_name, emoji_code, reaction_type, user_id: ada.userId };
      expect((await reactionsOf(ada, messageId)).at(-1)).toEqual(reaction);
    }
  });

  test('Keeps the order in which people reacted, with one emoji and with others', async () => {
    const messageId = await post();
    const people = await createUsers(service, 'Cy', 'Di', 'Ed');
    await service.owner.subscribe(room.name, { principals: people.map(({ userId }) => userId) });
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
    const renamed = { ...tada, emoji_name: 'party_of_another_list' };
    await expectReact(ada, messageId, renamed);
    const queue = await ada.listen();
    await expectReact(bo, messageId);
    expect(await queue.drain()).toMatchObject([renamed]);
    expect(await reactionsOf(ada, messageId)).toMatchObject([renamed, renamed]);
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
    const [adas, bos, cys] = await listenAll([ada, bo, cy]);
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
    const queues = await listenAll(readers, { event_types: ['reaction'] });
    await act();
    return Promise.all(queues.map(async (queue) => (await queue.drain()).length > 0));
  };

  test('Goes to new subscribers if they may read old messages, and to no member without a subscription', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    for (const [params, isNotified] of [
      [{}, true],
      [{ invite_only: true, history_public_to_subscribers: true }, true],
      [{ invite_only: true, history_public_to_subscribers: false }, false],
    ] as const) {
      const { name, channelId } = await createChannel(service, [ada, bo], params);
      const messageId = await ada.send(channelId, 'topic', 'hello');
      await ada.subscribe(name, { principals: [cy.userId] });
      await service.settle();
      const news = await newsOf([ada, bo, cy, di, service.owner], () => expectReact(bo, messageId));
      expect(news).toEqual([true, true, isNotified, false, false]);
    }
  });

  test('Goes to people who left a public channel, and not to people who left a private one', async () => {
    for (const invite_only of [false, true]) {
      const { name, channelId } = await createChannel(service, [ada, bo], { invite_only });
      const messageId = await ada.send(channelId, 'topic', 'hello');
      await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
      await service.settle();
      expect(await newsOf([ada, bo], () => expectReact(ada, messageId))).toEqual([true, !invite_only]);
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

/** A user's reactions are stored with the reactions of every user whose id differs by a multiple of this. */
const USERS_TOGETHER = 64;
const itemsOf = async (messageId: number) => {
  const partition = messagePartitions.reactionsIn(`C${room.channelId}#topic`);
  const items = await service.services.table.list({ partition });
  return items.filter(({ sk }) => String(sk).startsWith(String(messageId).padStart(10, '0')));
};
const missing = { code: 'REACTION_DOES_NOT_EXIST' };

describe('Removing a reaction', () => {
  test('Notifies every user who has the message, and leaves reactions of others', async () => {
    const messageId = await post();
    await expectReact(ada, messageId);
    await expectReact(bo, messageId);
    await expectReact(bo, messageId, heart);
    const queues = await listenAll([ada, bo]);
    await expectConsistentSnapshot(service, [service.owner, ada, bo], () => expectUnreact(bo, messageId));
    const event = { type: 'reaction', op: 'remove', user_id: bo.userId, message_id: messageId, ...tada };
    for (const queue of queues) expect(await queue.drain()).toEqual([{ id: expect.any(Number), ...event }]);
    expect(await reactionsOf(ada, messageId)).toEqual([
      { ...tada, user_id: ada.userId },
      { ...heart, user_id: bo.userId },
    ]);
  });

  test('Requires only a name or a code', async () => {
    const messageId = await post();
    const zulip = { emoji_name: 'zulip' };
    for (const [emoji, key] of [
      [tada, { emoji_name: 'tada' }],
      [tada, { emoji_code: '1f389' }],
      [zulip, zulip],
    ]) {
      await expectReact(ada, messageId, emoji);
      await expectUnreact(ada, messageId, key);
    }
    expect(await reactionsOf(ada, messageId)).toEqual([]);
  });

  test('Makes the same reaction the newest if it is added again', async () => {
    const messageId = await post();
    await expectReact(ada, messageId);
    await expectReact(bo, messageId);
    await unreact(ada, messageId);
    await expectReact(ada, messageId);
    expect(await reactionsOf(ada, messageId)).toMatchObject([
      { user_id: bo.userId },
      { user_id: ada.userId },
    ]);
  });

  test('Happens once, however many requests race', async () => {
    const messageId = await post();
    await expectReact(bo, messageId);
    const queue = await ada.listen();
    const replies = await Promise.all([1, 2, 3].map(() => unreact(bo, messageId)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await queue.drain()).toHaveLength(1);
  });

  test('Keeps reactions of other users that are stored in the same item', async () => {
    const [last] = await createUsers(service, 'Last');
    const skipped = USERS_TOGETHER - (last.userId - ada.userId) - 1;
    await service.services.table.increment(organizationKeys.counter('user'), 'id', skipped);
    const [neighbour] = await createUsers(service, 'Neighbour');
    expect(neighbour.userId - ada.userId).toBe(USERS_TOGETHER);
    await neighbour.subscribe(room.name);
    const messageId = await post();
    for (const user of [ada, neighbour]) await expectReact(user, messageId);
    await expectConsistentSnapshot(service, [service.owner, bo], () => unreact(ada, messageId));
    expect(await reactionsOf(bo, messageId)).toEqual([{ ...tada, user_id: neighbour.userId }]);
    await expectReact(ada, messageId);
    const emoji = `${tada.reaction_type}#${tada.emoji_code}`;
    const key = messageKeys.reactions(`C${room.channelId}#topic`, { messageId, emoji }, ada.userId);
    interrupt(service, { transact: writes(key) }, () => unreact(ada, messageId));
    expectRefusal(await unreact(ada, messageId), "Reaction doesn't exist.", missing);
    await expectReact(ada, messageId);
    for (const user of [neighbour, ada]) await expectUnreact(user, messageId);
    expect(await reactionsOf(bo, messageId)).toEqual([]);
    expect(await itemsOf(messageId)).toEqual([]);
  });

  test('Fails if there is none, and for reactions of others', async () => {
    const messageId = await post();
    await expectReact(bo, messageId);
    const custom = { ...tada, reaction_type: 'realm_emoji' };
    for (const emoji of [tada, heart, { emoji_code: 'f'.repeat(5000) }, custom])
      expectRefusal(await unreact(ada, messageId, emoji), "Reaction doesn't exist.", missing);
    expectRefusal(await unreact(ada, messageId, { emoji_name: 'xyz' }), "Emoji 'xyz' does not exist");
    const msg = 'At least one of the following arguments must be present: emoji_name, emoji_code';
    expectRefusal(await unreact(ada, messageId, {}), msg);
    expect(await reactionsOf(ada, messageId)).toHaveLength(1);
  });
});

describe('A search for reactions', () => {
  test('Finds messages while a user has reacted to them, also the caller’s own', async () => {
    const { channelId, name } = await createChannel(service, [ada, bo]);
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push(await ada.send(channelId, 'topic', `message ${n}`));
    const [first = 0, , third = 0, , fifth = 0] = ids;
    for (const id of [first, third, fifth]) await expectReact(bo, id);
    await expectReact(ada, third, heart);
    await unreact(bo, fifth);
    const here = ['channel', name];
    expect(await allIdsIn(ada, [here, ['has', 'reaction']])).toEqual([first, third]);
    const others = await allIdsIn(ada, [here, { operator: 'has', operand: 'reaction', negated: true }]);
    expect(others.filter((id) => ids.includes(id))).toEqual(ids.filter((id) => id !== first && id !== third));
    const narrow = [['has', 'reaction']];
    const { body } = await ada.get('/messages/matches_narrow', { msg_ids: ids, narrow });
    expect(Object.keys(body.messages).map(Number)).toEqual([first, third]);
  });
});

describe('A message that is deleted', () => {
  test('Loses its reactions, and cannot get new ones', async () => {
    const { channelId } = await createChannel(service, [service.owner, ada]);
    await service.owner.patch(`/streams/${channelId}`, { message_retention_days: 1 });
    const messageId = await ada.send(channelId, 'topic', 'hello');
    await ada.send(channelId, 'topic', 'another');
    for (const emoji of [tada, heart]) await expectReact(ada, messageId, emoji);
    await expectReact(service.owner, messageId);
    service.advance(2 * 86_400_000);
    await sweep(service.services);
    await service.settle();
    expectRefusal(await react(ada, messageId), 'Invalid message(s)');
    const partition = messagePartitions.reactionsIn(`C${channelId}#topic`);
    expect(await service.services.table.list({ partition })).toEqual([]);
  });
});
