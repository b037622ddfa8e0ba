import { describe, expect, test } from 'vitest';
import { readCounter } from '#shared/store/log/log.ts';
import { type Key, leadingId } from '#shared/table/keys/key.ts';
import { logKeys, messageKeys, messagePartitions } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { createPeople, emailOf } from '#tests/api/channels/people.ts';
import { inTopic, newChannel } from '#tests/api/messages/lists/message-lists.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { Params } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { expectReact, heart, react, reactionsOf, tada, unreact } from './reactions.ts';

const text = 'word '.repeat(40);

const service = await startTestService();
const ada = service.owner;
const [bo] = await createUsers(service, 'Bo');

const measure = (act: () => Promise<unknown>) => unitsOf(service, act);

/** As if this many users had reacted, one after the other: 10 000 calls would take too long. */
async function reactInBulk(channelId: number, messageId: number, size: number): Promise<void> {
  const { table, ids } = service.services;
  const writes = new Map<string, Extract<Write, { kind: 'put' }>>();
  for (let userId = 1000; userId < 1000 + size; userId++) {
    const place = { messageId, emoji: 'unicode_emoji#1f389' };
    const key = messageKeys.reactions(`C${channelId}#budget`, place, userId);
    const { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType } = tada;
    const item = writes.get(key.sk)?.item ?? { ...key, emojiName, emojiCode, reactionType, count: 0 };
    writes.set(key.sk, {
      kind: 'put',
      item: { ...item, [`u${userId}`]: 1_000_000 + userId, count: Number(item.count) + 1 },
    });
  }
  await table.transact([...writes.values()], ids.writeId());
}

/** As if these messages had been sent again this many times, each with the same reactions. */
async function repeatReacted(channelId: number, messageIds: number[], times: number): Promise<void> {
  const { table } = service.services;
  const partition = messagePartitions.reactionsIn(`C${channelId}#budget`);
  const reactions = (await table.list({ partition })) as (Key & Item)[];
  const entries = await Promise.all(messageIds.map((id) => table.find(logKeys.entry(id))));
  let position = await readCounter(table);
  const writes: Write[] = [];
  for (let n = 0; n < times; n++)
    for (const [index, id] of messageIds.entries()) {
      const key = logKeys.entry(++position);
      writes.push({ kind: 'put', item: { ...entries[index], ...key } });
      for (const item of reactions.filter(({ sk }) => leadingId(sk) === id))
        writes.push({ kind: 'put', item: { ...item, sk: `${key.sk}${item.sk.slice(key.sk.length)}` } });
    }
  await writeInBatches(service.services, writes);
  await table.write({ kind: 'update', key: organizationKeys.counter('log'), set: { position } });
}

describe('The capacity of reactions', () => {
  test('Stays the same for each, and a little more for the first of a message', async () => {
    const { channelId } = await newChannel(ada, bo);
    await service.settle();
    const messageId = await ada.send(channelId, 'budget', text);
    expect(await measure(() => expectReact(ada, messageId))).toEqual({ read: 4, write: 9 });
    expect(await measure(() => expectReact(bo, messageId))).toEqual({ read: 6, write: 5 });
    expect(await measure(() => unreact(bo, messageId))).toEqual({ read: 5, write: 5 });
    await reactInBulk(channelId, messageId, 10_000);
    const { read, write } = await measure(() => expectReact(bo, messageId));
    expect(read).toBeLessThanOrEqual(7);
    expect(write).toBeLessThanOrEqual(9);
  });

  test.each([
    ['to every message', 1, 3],
    ['to every tenth message', 10, 3],
    ['to every message, from one person', 1, 1],
  ])('Follows its bytes in a page of 100 messages: reactions %s', async (_which, every, reactors) => {
    const { name, channelId } = await newChannel(ada, bo);
    await service.settle();
    const sendTen = async (): Promise<number[]> => {
      const sent: number[] = [];
      for (let n = 0; n < 10; n++) {
        const messageId = await ada.send(channelId, 'budget', text);
        sent.push(messageId);
        if (n % every > 0) continue;
        for (const user of [bo, ada].slice(0, reactors)) await expectReact(user, messageId);
        if (reactors > 2) await expectReact(ada, messageId, heart);
      }
      return sent;
    };
    await repeatReacted(channelId, await sendTen(), 9);
    await sendTen();
    const page: Params = { anchor: 'newest', num_before: 100, num_after: 0 };
    for (const narrow of [[['channel', name]], inTopic(name, 'budget')]) {
      service.meter.reset();
      const { body } = await bo.get('/messages', { ...page, narrow });
      const { read } = service.meter;
      expect(body.messages).toHaveLength(100);
      const reactions = body.messages.flatMap((message: { reactions: unknown[] }) => message.reactions);
      expect(reactions).toHaveLength((100 / every) * reactors);
      expect(read).toBeLessThanOrEqual((2 * Buffer.byteLength(JSON.stringify(body))) / 8192 + 5);
    }
  });

  test('Remains below 25 units for a message with 10 000 reactions, which all are returned', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    await service.settle();
    const messageId = await ada.send(channelId, 'budget', text);
    await expectReact(bo, messageId);
    await reactInBulk(channelId, messageId, 10_000);
    expect(await reactionsOf(ada, messageId)).toHaveLength(10_000);
    const request = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['channel', name]] };
    const { read } = await measure(async () => {
      const { body } = await bo.get('/messages', request);
      expect(body.messages[0].reactions).toHaveLength(10_000);
    });
    expect(read).toBeLessThanOrEqual(25);
  });
});

describe('Many people at once', () => {
  test('Can react to one message, each of them once', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    await service.settle();
    const principals = await createPeople(service, 25);
    const people = await Promise.all(principals.map((userId) => service.clientOf(emailOf(userId))));
    const silently = { send_new_subscription_messages: false };
    await ada.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...silently });
    const messageId = await ada.send(channelId, 'budget', text);
    const replies = await Promise.all(people.map((user) => react(user, messageId)));
    expect(replies.map(({ status }) => status)).toEqual(people.map(() => 200));
    const reactors = (await reactionsOf(bo, messageId)).map(({ user_id }: { user_id: number }) => user_id);
    expect(reactors.sort((a: number, b: number) => a - b)).toEqual(principals);
  });
});
