import { describe, expect, test } from 'vitest';
import { deactivateEmoji, makeEmoji } from '#tests/api/emoji/emoji-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectReact, react, reactionsOf, unreact } from './reactions.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
const room = await createChannel(service, [ada, bo, guest]);

const post = (): Promise<number> => ada.send(room.channelId, 'topic', 'hello');
const missing = { code: 'REACTION_DOES_NOT_EXIST' };

describe('A reaction with a custom emoji', () => {
  test('Goes to every user who has the message, and is returned with it', async () => {
    const emoji = await makeEmoji(ada);
    const messageId = await post();
    const queue = await guest.listen();
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      await expectReact(bo, messageId, emoji);
      await expectReact(guest, messageId, emoji);
    });
    expect(await queue.drain()).toMatchObject([
      { type: 'reaction', op: 'add', user_id: bo.userId, ...emoji },
      { type: 'reaction', op: 'add', user_id: guest.userId, ...emoji },
    ]);
    expect(await reactionsOf(ada, messageId)).toEqual([
      { ...emoji, user_id: bo.userId },
      { ...emoji, user_id: guest.userId },
    ]);
  });

  test('Uses the custom emoji if its name overrides a built-in one', async () => {
    const messageId = await post();
    await expectReact(ada, messageId, { emoji_name: 'squid' });
    const own = await makeEmoji(service.owner, 'squid');
    await expectReact(bo, messageId, { emoji_name: 'squid' });
    const squid = { emoji_name: 'squid', emoji_code: '1f991', reaction_type: 'unicode_emoji' };
    expect(await reactionsOf(ada, messageId)).toEqual([
      { ...squid, user_id: ada.userId },
      { ...own, user_id: bo.userId },
    ]);
    await expectReact(guest, messageId, squid);
    await deactivateEmoji(service.owner, own);
    await expectReact(guest, await post(), { emoji_name: 'squid' });
  });
});

describe('A deactivated emoji', () => {
  test('Cannot be used for new reactions', async () => {
    const emoji = await makeEmoji(ada);
    await deactivateEmoji(ada, emoji);
    const messageId = await post();
    expectRefusal(await react(bo, messageId, emoji), 'This custom emoji has been deactivated.');
    const { emoji_name } = emoji;
    expectRefusal(await react(bo, messageId, { emoji_name }), `Emoji '${emoji_name}' does not exist`);
    expect(await reactionsOf(ada, messageId)).toEqual([]);
  });

  test(
    'Stays beside messages, where people can add and remove it',
    proves('deactivate-emoji.8'),
    async () => {
      const emoji = await makeEmoji(ada);
      const messageId = await post();
      await expectReact(bo, messageId, emoji);
      await deactivateEmoji(ada, emoji);
      await expectReact(guest, messageId, emoji);
      expect(await reactionsOf(ada, messageId)).toEqual([
        { ...emoji, user_id: bo.userId },
        { ...emoji, user_id: guest.userId },
      ]);
      const { emoji_code, reaction_type } = emoji;
      expect((await unreact(bo, messageId, emoji)).status).toBe(200);
      expect((await unreact(guest, messageId, { emoji_code, reaction_type })).status).toBe(200);
      expect(await reactionsOf(ada, messageId)).toEqual([]);
      expectRefusal(await react(bo, messageId, emoji), 'This custom emoji has been deactivated.');
    },
  );

  test('Differs from a later emoji of the same name', async () => {
    const old = await makeEmoji(ada);
    const messageId = await post();
    await expectReact(ada, messageId, old);
    await deactivateEmoji(ada, old);
    const young = await makeEmoji(ada, old.emoji_name);
    expect(young.emoji_code).not.toBe(old.emoji_code);
    await expectReact(ada, messageId, { emoji_name: young.emoji_name });
    expect(await reactionsOf(ada, messageId)).toEqual([
      { ...old, user_id: ada.userId },
      { ...young, user_id: ada.userId },
    ]);
  });
});

describe('A reaction with a custom emoji is refused', () => {
  test('Under another name', async () => {
    const emoji = await makeEmoji(ada);
    const messageId = await post();
    for (const emoji_name of ['tada', 'other', '', emoji.emoji_name.toUpperCase()])
      expectRefusal(await react(bo, messageId, { ...emoji, emoji_name }), 'Invalid custom emoji name.');
    expect(await reactionsOf(ada, messageId)).toEqual([]);
  });

  test('With a code of no emoji', async () => {
    const { emoji_name } = await makeEmoji(ada);
    const messageId = await post();
    const codes = ['0', '-1', '01', '1.5', '999999', '99999999999', 'x', '', '1f389', '__proto__'];
    for (const emoji_code of codes) {
      const emoji: Params = { emoji_name, emoji_code, reaction_type: 'realm_emoji' };
      expectRefusal(await react(bo, messageId, emoji), 'Invalid custom emoji.');
      expectRefusal(await unreact(bo, messageId, emoji), "Reaction doesn't exist.", missing);
    }
    expect(await reactionsOf(ada, messageId)).toEqual([]);
  });

  test('As an emoji of another type', async () => {
    const emoji = await makeEmoji(ada);
    const messageId = await post();
    for (const reaction_type of ['unicode_emoji', 'zulip_extra_emoji'])
      expectRefusal(await react(bo, messageId, { ...emoji, reaction_type }), 'Invalid emoji code.');
    const tadaByCode = { ...emoji, emoji_name: 'tada' };
    expectRefusal(await react(bo, messageId, tadaByCode), 'Invalid custom emoji name.');
  });
});
