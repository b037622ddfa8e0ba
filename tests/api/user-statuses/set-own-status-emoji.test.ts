import { afterAll, describe, expect, test } from 'vitest';
import { deactivateEmoji, makeEmoji } from '#tests/api/emoji/emoji-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listenToStatuses, PALM, say, saying, statusOf } from './statuses.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

describe('A custom emoji in a status', () => {
  test('May be given by name, code and type or by name alone', async () => {
    const emoji = await makeEmoji(ada);
    const { emoji_name, emoji_code, reaction_type } = emoji;
    for (const given of [
      emoji,
      { emoji_name },
      { emoji_name, reaction_type },
      { emoji_name, emoji_code, reaction_type },
    ]) {
      const queue = await listenToStatuses(guest);
      await saying(bo, given);
      expect(await statusOf(guest, bo)).toEqual(emoji);
      expect(await queue.drain()).toMatchObject([{ type: 'user_status', user_id: bo.userId, ...emoji }]);
      await saying(bo, { emoji_name: '' });
    }
  });

  test('May be set for a user by an administrator', async () => {
    const emoji = await makeEmoji(ada);
    const { status } = await service.owner.post(`/users/${ada.userId}/status`, {
      emoji_name: emoji.emoji_name,
    });
    expect(status).toBe(200);
    expect(await statusOf(guest, ada)).toEqual(emoji);
  });

  test('Keeps the snapshot exact', async () => {
    const emoji = await makeEmoji(ada);
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      await saying(bo, { status_text: 'out', ...emoji });
      await deactivateEmoji(ada, emoji);
      await saying(bo, { status_text: 'back' });
    });
  });

  test('Stays after its deactivation, and cannot be set then', proves('deactivate-emoji.8'), async () => {
    const emoji = await makeEmoji(ada);
    await saying(bo, { status_text: '', ...emoji });
    await deactivateEmoji(ada, emoji);
    expect(await statusOf(guest, bo)).toEqual(emoji);
    const { snapshot } = await guest.register({ fetch_event_types: ['user_status'] });
    expect(snapshot.user_status[bo.userId]).toEqual(emoji);
    expectRefusal(await say(ada, emoji), 'This custom emoji has been deactivated.');
    const { emoji_name } = emoji;
    expectRefusal(await say(ada, { emoji_name }), `Emoji '${emoji_name}' does not exist`);
  });

  test('Must have the name and code of one emoji', async () => {
    const emoji = await makeEmoji(ada);
    await saying(bo, { status_text: 'as before', emoji_name: '' });
    expectRefusal(await say(bo, { ...emoji, emoji_name: 'other' }), 'Invalid custom emoji name.');
    for (const emoji_code of ['0', '01', '999999', '1f334', 'x'.repeat(5000), ''])
      expectRefusal(await say(bo, { ...emoji, emoji_code }), 'Invalid custom emoji.');
    expectRefusal(await say(bo, { ...PALM, reaction_type: 'realm_emoji' }), 'Invalid custom emoji.');
    expect(await statusOf(ada, bo)).toEqual({ status_text: 'as before' });
  });
});
