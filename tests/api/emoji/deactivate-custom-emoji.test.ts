import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { findEmoji, freshName, uploadEmojiPicture } from '#tests/api/emoji/emoji-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const people = {
  administrator: await service.createUser('Administrator', roles.administrator),
  moderator: await service.createUser('Moderator', roles.moderator),
  author: await service.createUser('Author'),
  member: await service.createUser('Member'),
  guest: await service.createUser('Guest', roles.guest),
};
const everyone = { ...people, owner: service.owner };

/** A fresh emoji of the author. */
async function addEmoji() {
  const name = freshName();
  await uploadEmojiPicture(people.author, name);
  return (await findEmoji(people.author, name)) as { name: string; id: string; source_url: string };
}
const deactivate = (client: Client, name: string) =>
  client.delete(`/realm/emoji/${encodeURIComponent(name)}`);
const isDeactivated = async (name: string) => (await findEmoji(people.member, name))?.deactivated;
const expectNoEmoji = async (client: Client, name: string) =>
  expectRefusal(await deactivate(client, name), `Emoji '${name}' does not exist`, { status: 404 });

describe('Deactivating an emoji', () => {
  const rights = proves(
    'deactivate-emoji.1',
    'deactivate-emoji.2',
    'deactivate-emoji.3',
    'deactivate-emoji.4',
    'deactivate-emoji.7',
  );
  test.each(['author', 'administrator', 'owner'] as const)('Works for its %s', rights, async (who) => {
    const { name } = await addEmoji();
    expect((await deactivate(everyone[who], name)).status).toBe(200);
    expect(await isDeactivated(name)).toBe(true);
  });

  const others = ['moderator', 'member', 'guest'] as const;
  test.each(others)('Fails for another %s', proves('deactivate-emoji.3'), async (who) => {
    const { name } = await addEmoji();
    const refused = await deactivate(people[who], name);
    expectRefusal(refused, 'Must be an organization administrator or emoji author');
    expect(await isDeactivated(name)).toBe(false);
  });

  test('Keeps its picture, which old messages show', proves('deactivate-emoji.8'), async () => {
    const { name, id, source_url } = await addEmoji();
    await deactivate(people.author, name);
    const { snapshot } = await people.guest.register({ fetch_event_types: ['realm_emoji'] });
    expect(snapshot.realm_emoji[id]).toMatchObject({ name, source_url, deactivated: true });
    expect((await sendTo(service.url + source_url)).status).toBe(200);
  });

  const unknown = proves('deactivate-emoji.2', 'deactivate-emoji.5', 'deactivate-emoji.6');
  const names = ['never_was', 'octopus', 'x'.repeat(3000), '__proto__', 'a/b', '*'];
  test.each(names)('Answers an error for %j', unknown, async (name) => {
    for (const client of [service.owner, people.guest]) await expectNoEmoji(client, name);
  });

  test('Succeeds once; a deactivated emoji counts as missing', proves('deactivate-emoji.7'), async () => {
    const { name } = await addEmoji();
    const replies = await Promise.all(Array.from({ length: 4 }, () => deactivate(people.author, name)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    await expectNoEmoji(people.author, name);
  });

  test('Stops rendering its name as a picture in new texts', async () => {
    const { name, source_url } = await addEmoji();
    const render = async () =>
      (await people.guest.post('/messages/render', { content: `:${name}:` })).body.rendered;
    const title = name.replace('_', ' ');
    const picture = `<img alt=":${name}:" class="emoji" src="${source_url}" title="${title}">`;
    expect(await render()).toBe(`<p>${picture}</p>`);
    await deactivate(people.author, name);
    expect(await render()).toBe(`<p>:${name}:</p>`);
  });
});

const forms = proves('deactivate-emoji.9', 'deactivate-emoji.10');
test('The event of a deactivated emoji goes to all users, in the form of their clients', forms, async () => {
  const { name, id } = await addEmoji();
  const capable = await people.guest.listen({ client_capabilities: { individual_emoji_changes: true } });
  const old = await people.member.listen({ client_capabilities: { individual_emoji_changes: false } });
  await deactivate(people.author, name);
  const event = { id: expect.any(Number), type: 'realm_emoji' };
  const change = { op: 'update_one', emoji_id: id, data: { deactivated: true } };
  expect(await capable.drain()).toEqual([{ ...event, ...change }]);
  const { body } = await people.member.get('/realm/emoji');
  expect(body.emoji[id].deactivated).toBe(true);
  expect(await old.drain()).toEqual([{ ...event, op: 'update', realm_emoji: body.emoji }]);
});

test('Deactivating costs a transaction of five small items', async () => {
  const { name } = await addEmoji();
  await service.settle();
  service.meter.reset();
  await deactivate(people.author, name);
  expect(service.meter.write).toBeLessThanOrEqual(9);
  expect(service.meter.read).toBeLessThanOrEqual(4);
});
