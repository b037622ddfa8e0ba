import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { messageKeys, messagePartitions } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectReact, heart, react, reactionsOf, tada, unreact } from './reactions.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const post = (): Promise<number> => ada.send(room.channelId, 'topic', 'hello');
/** A user's reactions are stored with the reactions of every user whose id differs by a multiple of this. */
const USERS_TOGETHER = 64;
const itemsOf = async (messageId: number) => {
  const partition = messagePartitions.reactionsIn(`C${room.channelId}#topic`);
  const items = await service.services.table.list({ partition });
  return items.filter(({ sk }) => String(sk).startsWith(String(messageId).padStart(10, '0')));
};
const missing = { code: 'REACTION_DOES_NOT_EXIST' };
const matching = async (narrow: unknown[]): Promise<number[]> => {
  const { body } = await ada.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
  return body.messages.map(({ id }: { id: number }) => id);
};

describe('Removing a reaction', () => {
  test('Notifies every user who has the message, and leaves reactions of others', async () => {
    const messageId = await post();
    await expectReact(ada, messageId);
    await expectReact(bo, messageId);
    await expectReact(bo, messageId, heart);
    const queues = [await ada.listen(), await bo.listen()];
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      const { status, body } = await unreact(bo, messageId);
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    });
    const event = { type: 'reaction', op: 'remove', user_id: bo.userId, message_id: messageId, ...tada };
    for (const queue of queues) expect(await queue.drain()).toEqual([{ id: expect.any(Number), ...event }]);
    expect(await reactionsOf(ada, messageId)).toEqual([
      { ...tada, user_id: ada.userId },
      { ...heart, user_id: bo.userId },
    ]);
  });

  test('Requires only a name or a code', async () => {
    const messageId = await post();
    for (const emoji of [{ emoji_name: 'tada' }, { emoji_code: '1f389' }]) {
      await expectReact(ada, messageId);
      expect((await unreact(ada, messageId, emoji)).status).toBe(200);
    }
    await expectReact(ada, messageId, { emoji_name: 'zulip' });
    expect((await unreact(ada, messageId, { emoji_name: 'zulip' })).status).toBe(200);
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
    const { table } = service.services;
    await table.increment(
      organizationKeys.counter('user'),
      'id',
      USERS_TOGETHER - (bo.userId - ada.userId) - 1,
    );
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
    for (const user of [neighbour, ada]) expect((await unreact(user, messageId)).status).toBe(200);
    expect(await reactionsOf(bo, messageId)).toEqual([]);
    expect(await itemsOf(messageId)).toEqual([]);
  });

  test('Fails if there is none, and for reactions of others', async () => {
    const messageId = await post();
    await expectReact(bo, messageId);
    for (const emoji of [
      tada,
      heart,
      { emoji_code: 'f'.repeat(5000) },
      { ...tada, reaction_type: 'realm_emoji' },
    ])
      expectRefusal(await unreact(ada, messageId, emoji), "Reaction doesn't exist.", missing);
    expectRefusal(await unreact(ada, messageId, { emoji_name: 'xyz' }), "Emoji 'xyz' does not exist");
    expectRefusal(
      await unreact(ada, messageId, {}),
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    );
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
    expect(await matching([here, ['has', 'reaction']])).toEqual([first, third]);
    const others = await matching([here, { operator: 'has', operand: 'reaction', negated: true }]);
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
