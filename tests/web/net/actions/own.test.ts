import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { load, useStillPage } from '../still-page.ts';

const [own, emoji, api] = await load('#web/net/own-settings.ts', '#web/net/emoji.ts', '#web/net/api.ts');

const page = useStillPage({
  delivery_email: 'me@example.com',
  server_emoji_data_url: 'https://chat.example.com/static/emoji.json',
});
beforeEach(() => {
  api.session.value = 'in';
});
afterEach(() => (api.session.value = 'unknown'));

const asked = () => page.calls.map(({ call, params }) => [call, params]);
test('An account is closed at the service first, and then an empty page is loaded', async () => {
  const left: string[] = [];
  Object.assign(page.location, {
    assign: (to: string) => left.push(to, ...asked().map(([call]) => `${call}`)),
  });
  await own.deactivateSelf();
  expect(left).toEqual(['/login/', 'DELETE /users/me']);
});

test('Names of emoji are fetched once, and again if that failed', async () => {
  emoji.emojiNames.value = new Map();
  const asked: string[] = [];
  const names = { '1f44d': ['+1', 'thumb'] };
  vi.stubGlobal('fetch', async (target: string) => {
    asked.push(target);
    if (asked.length === 1) throw new TypeError('fetch failed');
    return Response.json({ code_to_names: names });
  });
  await emoji.loadEmojiNames();
  expect(emoji.emojiNames.value.size).toBe(0);
  await Promise.all([emoji.loadEmojiNames(), emoji.loadEmojiNames()]);
  await emoji.loadEmojiNames();
  expect(asked).toEqual(['/static/emoji.json', '/static/emoji.json']);
  expect([...emoji.emojiNames.value]).toEqual(Object.entries(names));
});
