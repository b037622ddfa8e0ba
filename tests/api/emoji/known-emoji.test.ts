// The operations getEmojiNames, getExtraEmojiPicture and listCustomEmoji.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { expectReact, reactionsOf } from '#tests/api/messages/reactions/reactions.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import { lookAt, makePicture, toForm } from '#tests/harness/pictures.ts';
import { createChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { snapshot } = await service.owner.register({ fetch_event_types: ['realm'] });
const url = snapshot.server_emoji_data_url;

const namesByCode = async (): Promise<Record<string, string[]>> => {
  const { status, body } = await sendTo(url);
  expect(status).toBe(200);
  return body.code_to_names;
};

describe('The names of emoji', () => {
  test('Have the address in register, for every user, in a document of their own form', async () => {
    expect(url).toBe(`${service.url}/static/emoji.json`);
    const { headers, body } = await sendTo(url);
    const names = ['content-type', 'cache-control', 'access-control-allow-origin'];
    expect(names.map((name) => headers.get(name))).toEqual(['application/json', 'no-cache', '*']);
    expect(Object.keys(body)).toEqual(['code_to_names']);
    const compressed = await sendTo(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
  });

  test('Cover all emoji, with each name of one, without skin tones', async () => {
    const all = await namesByCode();
    expect(Object.keys(all).length).toBeGreaterThan(1_800);
    for (const [code, names] of Object.entries(all)) {
      expect(code).toMatch(/^[0-9a-f]{4,5}(-[0-9a-f]{4,5})*$/);
      expect(code).not.toMatch(/1f3f[b-f]-|-1f3f[b-f]/);
      expect(names.length, code).toBeGreaterThan(0);
      for (const name of names) expect(name).toMatch(/^[0-9a-z+_-]+$/);
    }
    const names = Object.values(all).flat();
    expect(new Set(names).size).toBe(names.length);
  });

  test('Start with the one of the protocol', async () => {
    const all = await namesByCode();
    const first = (code: string) => all[code]?.[0];
    expect([first('1f642'), first('1f4e7'), first('1f6b1')]).toEqual([
      'smile',
      'e-mail',
      'non-potable_water',
    ]);
    expect([all['1f44e'], all['1f604'], all['1f389']]).toEqual([
      ['-1', 'thumbsdown'],
      ['big_smile'],
      ['tada'],
    ]);
    expect(all['1f44d']).toEqual(expect.arrayContaining(['+1', 'thumbsup']));
  });

  test('Equal the names that reactions accept', async () => {
    const { channelId } = await createChannel(service, [service.owner]);
    const messageId = await service.owner.send(channelId, 'topic', 'hello');
    const all = Object.entries(await namesByCode());
    const some = all.filter((_entry, index) => index % 100 === 0);
    for (const [, [emoji_name]] of some) await expectReact(service.owner, messageId, { emoji_name });
    expect(await reactionsOf(service.owner, messageId)).toMatchObject(
      some.map(([emoji_code, [emoji_name]]) => ({ emoji_name, emoji_code })),
    );
  });
});

test('The picture of the emoji without a Unicode character is public at the address in messages', async () => {
  const { body } = await service.owner.post('/messages/render', { content: ':zulip:' });
  const [, address] = /<img [^>]*src="([^"]+)"/.exec(body.rendered) ?? [];
  const { status, headers, body: bytes } = await sendTo(`${service.url}${address}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(headers.get('cache-control')).toContain('immutable');
  expect(await lookAt(bytes)).toMatchObject({ kind: 'png', width: 64, height: 64 });
});

test('Every user gets all custom emoji by id, as in register', async () => {
  for (const name of ['one', 'two'])
    await service.owner.post(`/realm/emoji/${name}`, {}, { rawBody: toForm(await makePicture()) });
  const guest = await service.createUser('Guest', roles.guest);
  const { body } = await guest.get('/realm/emoji');
  expect(Object.keys(body.emoji)).toEqual(['1', '2']);
  expect(body.emoji[2]).toMatchObject({ id: '2', name: 'two', author_id: service.owner.userId });
  const { snapshot } = await guest.register({ fetch_event_types: ['realm_emoji'] });
  expect(snapshot.realm_emoji).toEqual(body.emoji);
});
