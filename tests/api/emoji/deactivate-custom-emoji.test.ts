import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

let made = 0;
const service = await startTestService();
const people = {
  administrator: await service.createUser('Administrator', roles.administrator),
  moderator: await service.createUser('Moderator', roles.moderator),
  author: await service.createUser('Author'),
  member: await service.createUser('Member'),
  guest: await service.createUser('Guest', roles.guest),
};
const picture = await makePicture();
await service.settle();

/** A fresh emoji of the author. */
async function addEmoji(): Promise<{ name: string; id: string; source_url: string }> {
  const name = `emoji_${++made}`;
  const added = await people.author.post(`/realm/emoji/${name}`, {}, { rawBody: toForm(picture) });
  expect(added.status).toBe(200);
  const { body } = await people.author.get('/realm/emoji');
  return Object.values<{ name: string; id: string; source_url: string }>(body.emoji).find(
    (one) => one.name === name,
  ) as { name: string; id: string; source_url: string };
}
const deactivate = (client: Client, name: string) =>
  client.delete(`/realm/emoji/${encodeURIComponent(name)}`);

describe('Deactivating an emoji', () => {
  test.each([['author'], ['administrator'], ['owner']] as const)(
    'Works for its %s',
    proves(
      'deactivate-emoji.1',
      'deactivate-emoji.2',
      'deactivate-emoji.3',
      'deactivate-emoji.4',
      'deactivate-emoji.7',
    ),
    async (who) => {
      const { name, id } = await addEmoji();
      const { status, body } = await deactivate(who === 'owner' ? service.owner : people[who], name);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
      const list = await people.member.get('/realm/emoji');
      expect(list.body.emoji[id].deactivated).toBe(true);
    },
  );

  test.each([['moderator'], ['member'], ['guest']] as const)(
    'Fails for another %s',
    proves('deactivate-emoji.3'),
    async (who) => {
      const { name, id } = await addEmoji();
      expectRefusal(
        await deactivate(people[who], name),
        'Must be an organization administrator or emoji author',
      );
      expect((await people.member.get('/realm/emoji')).body.emoji[id].deactivated).toBe(false);
    },
  );

  test('Keeps its picture, which old messages show', proves('deactivate-emoji.8'), async () => {
    const { name, id, source_url } = await addEmoji();
    await deactivate(people.author, name);
    const { snapshot } = await people.guest.register({ fetch_event_types: ['realm_emoji'] });
    expect(snapshot.realm_emoji[id]).toMatchObject({ name, source_url, deactivated: true });
    expect((await sendTo(service.url + source_url)).status).toBe(200);
  });

  test.each([['never_was'], ['octopus'], ['x'.repeat(3000)], ['__proto__'], ['a/b'], ['*']])(
    'Answers an error for %j',
    proves('deactivate-emoji.2', 'deactivate-emoji.5', 'deactivate-emoji.6'),
    async (name) => {
      for (const client of [service.owner, people.guest])
        expectRefusal(await deactivate(client, name), `Emoji '${name}' does not exist`, {
          status: 404,
          code: 'BAD_REQUEST',
        });
    },
  );

  test(
    'Succeeds once, also for simultaneous requests; a deactivated emoji counts as missing',
    proves('deactivate-emoji.7'),
    async () => {
      const { name } = await addEmoji();
      const replies = await Promise.all(Array.from({ length: 4 }, () => deactivate(people.author, name)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
      expectRefusal(await deactivate(people.author, name), `Emoji '${name}' does not exist`, {
        status: 404,
        code: 'BAD_REQUEST',
      });
    },
  );

  test('Stops rendering its name as a picture in new texts', async () => {
    const { name, source_url } = await addEmoji();
    const render = async () =>
      (await people.guest.post('/messages/render', { content: `:${name}:` })).body.rendered;
    expect(await render()).toBe(
      `<p><img alt=":${name}:" class="emoji" src="${source_url}" title="${name.replace('_', ' ')}"></p>`,
    );
    await deactivate(people.author, name);
    expect(await render()).toBe(`<p>:${name}:</p>`);
  });
});

describe('The event of a deactivated emoji', () => {
  test(
    'Goes to all users, each in the form that their client supports',
    proves('deactivate-emoji.9', 'deactivate-emoji.10'),
    async () => {
      const { name, id } = await addEmoji();
      const capable = await people.guest.listen({ client_capabilities: { individual_emoji_changes: true } });
      const old = await people.member.listen({ client_capabilities: { individual_emoji_changes: false } });
      await deactivate(people.author, name);
      expect(await capable.drain()).toEqual([
        {
          id: expect.any(Number),
          type: 'realm_emoji',
          op: 'update_one',
          emoji_id: id,
          data: { deactivated: true },
        },
      ]);
      const { body } = await people.member.get('/realm/emoji');
      expect(body.emoji[id].deactivated).toBe(true);
      expect(await old.drain()).toEqual([
        { id: expect.any(Number), type: 'realm_emoji', op: 'update', realm_emoji: body.emoji },
      ]);
    },
  );
});

test('Deactivating costs a transaction of five small items', async () => {
  const { name } = await addEmoji();
  await service.settle();
  service.meter.reset();
  await deactivate(people.author, name);
  expect(service.meter.write).toBeLessThanOrEqual(9);
  expect(service.meter.read).toBeLessThanOrEqual(4);
});
