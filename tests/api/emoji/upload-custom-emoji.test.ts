import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { findEmoji, freshName, uploadEmoji, uploadEmojiPicture } from '#tests/api/emoji/emoji-calls.ts';
import type { Reply } from '#tests/harness/client.ts';
import { makePicture, type PictureOptions, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const administrator = await service.createUser('Administrator', roles.administrator);
const member = await service.createUser('Member');
const guest = await service.createUser('Guest', roles.guest);
await service.settle();

const uploadPicture = (name: string, options?: PictureOptions): Promise<Reply> =>
  uploadEmojiPicture(member, name, options);
const recordOf = (name: string) => findEmoji(member, name);

describe('Uploading an emoji', () => {
  test('Sends an event at once, and adds it to register and to the list', async () => {
    const queue = await guest.listen({ client_capabilities: { individual_emoji_changes: true } });
    const name = freshName();
    expect((await uploadPicture(name)).status).toBe(200);
    const record = await recordOf(name);
    expect(record).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name,
      source_url: expect.stringMatching(/^\/user_avatars\/[0-9a-f-]{36}\.png$/),
      still_url: null,
      deactivated: false,
      author_id: member.userId,
    });
    expect(await queue.drain()).toEqual([
      { id: expect.any(Number), type: 'realm_emoji', op: 'add', emoji: record },
    ]);
    const { snapshot } = await guest.register({ fetch_event_types: ['realm_emoji'] });
    expect(snapshot.realm_emoji[record?.id as string]).toEqual(record);
  });

  test.each([[true], [false]])('Leads to the same state as register (one by one: %s)', async (capable) => {
    await expectConsistentSnapshot(
      service,
      [service.owner, member, guest],
      async () => {
        const name = freshName();
        await uploadPicture(name);
        await uploadPicture(freshName(), {
          kind: 'gif',
          colours: [
            [255, 0, 0],
            [0, 255, 0],
          ],
        });
        await member.delete(`/realm/emoji/${name}`);
        await uploadPicture(name);
      },
      { individual_emoji_changes: capable },
    );
  });

  test('Costs a few units, however many emoji there are', async () => {
    await service.settle();
    service.meter.reset();
    await uploadPicture(freshName());
    expect(service.meter.write).toBeLessThanOrEqual(12);
    expect(service.meter.read).toBeLessThanOrEqual(7);
  });
});

describe('The name of an emoji', () => {
  test('Works in messages and reactions at its greatest length', async () => {
    const name = 'e'.repeat(100);
    expect((await uploadPicture(name)).status).toBe(200);
    const id = await member.sendDirect([member.userId], `:${name}:`);
    const reply = await member.post(`/messages/${id}/reactions`, { emoji_name: name });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const { message } = (await member.get(`/messages/${id}`)).body;
    expect(message.content).toContain((await recordOf(name))?.source_url);
    expect(message.reactions).toMatchObject([{ emoji_name: name, reaction_type: 'realm_emoji' }]);
    await member.delete(`/realm/emoji/${name}`);
  });

  test.each(['a.b', '0-a_b.c'])('Works in messages as %j', async (name) => {
    expect((await uploadPicture(name)).status).toBe(200);
    const { body } = await member.post('/messages/render', { content: `:${name}:` });
    expect(body.rendered).toContain((await recordOf(name))?.source_url);
  });

  test('Has underscores instead of spaces', async () => {
    const name = `with space ${freshName()}`;
    expect((await uploadPicture(name)).status).toBe(200);
    expect(await recordOf(name.replaceAll(' ', '_'))).toBeDefined();
  });

  const CHARACTERS =
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.';
  test.each([
    ['Upper', CHARACTERS],
    ['ü', CHARACTERS],
    ['a/b', CHARACTERS],
    ['__proto__\0', CHARACTERS],
    ['ends_', 'Emoji names must end with either a letter or digit.'],
    [' ', 'Emoji name is missing'],
    ['x'.repeat(101), 'emoji_name is too long (limit: 100 characters)'],
  ])('Must not be %j', async (name, message) => {
    expectRefusal(await uploadPicture(name), message);
  });

  test('Belongs to one active emoji', async () => {
    const name = freshName();
    await uploadPicture(name);
    expectRefusal(await uploadPicture(name), 'A custom emoji with this name already exists.');
    await member.delete(`/realm/emoji/${name}`);
    expect((await uploadPicture(name)).status).toBe(200);
  });

  test('May equal a built-in emoji only if an administrator uploads it', async () => {
    const form = async () => toForm(await makePicture());
    for (const name of ['octopus', '-1', 'e-mail', 'flag-wales', 'flag_wales'])
      expectRefusal(
        await uploadEmoji(member, name, await form()),
        'Only administrators can override default emoji.',
      );
    expect((await uploadEmoji(administrator, 'octopus', await form())).status).toBe(200);
  });
});

describe('The right to add emoji', () => {
  test('Belongs to the group that the organization sets', async () => {
    const form = async () => toForm(await makePicture());
    expectRefusal(await uploadEmoji(guest, freshName(), await form()), 'Insufficient permission');
    const { body } = await service.owner.post('/user_groups/create', {
      name: 'painters',
      description: '',
      members: [administrator.userId],
    });
    const setTo = (group: number) =>
      service.owner.patch('/realm', { can_add_custom_emoji_group: { new: group } });
    const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
    expect((await setTo(body.group_id)).status).toBe(200);
    expectRefusal(await uploadEmoji(member, freshName(), await form()), 'Insufficient permission');
    expect((await uploadEmoji(administrator, freshName(), await form())).status).toBe(200);
    await setTo(snapshot.realm_can_add_custom_emoji_group);
    expect((await uploadEmoji(member, freshName(), await form())).status).toBe(200);
  });
});
