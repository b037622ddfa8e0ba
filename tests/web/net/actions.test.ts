import { expect, test, vi } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { message } from '../scene.ts';
import { load, useStillPage } from './still-page.ts';

const [messages, roster, many, emoji, store] = await load(
  '#web/net/message-actions.ts',
  '#web/net/organization/roster.ts',
  '#web/net/organization/many-people.ts',
  '#web/net/emoji.ts',
  '#web/net/store.ts',
);

const ada = { user_id: 2, full_name: 'Ada', role: 400 };
const bo = { user_id: 3, full_name: 'Bo', role: 300 };
const server_emoji_data_url = 'https://chat.example.com/static/emoji.json';
const page = useStillPage({ realm_users: [ada, bo], is_admin: true, server_emoji_data_url });

const texts = () => store.notices.value.map(({ text }: { text: string }) => text);

test('A reaction returns to the state before if no answer comes', async () => {
  store.cache.value = { ...emptyCache, byId: new Map([[7, message(7)]]) };
  const known = () => store.cache.value.byId.get(7);
  page.answer = () => {
    throw new TypeError('fetch failed');
  };
  const thumb = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
  await messages.toggleReaction(known(), thumb);
  expect(known().reactions).toEqual([]);
  expect(texts()).toEqual(['Couldn’t save your reaction: Can’t reach the server. Check your connection.']);
});

test('A copied text causes a notice, and a failed copy too', async () => {
  const writeText = vi.fn(async () => undefined);
  Object.assign(page.navigator, { clipboard: { writeText } });
  await messages.copyText('Soup', 'Copied.');
  writeText.mockRejectedValue(new Error('Not allowed'));
  await messages.copyText('Soup', 'Copied.');
  expect(writeText.mock.calls).toEqual([['Soup'], ['Soup']]);
  expect(texts()).toEqual(['Copied.', 'Couldn’t copy: Not allowed']);
});

test('A notice about a deactivated bot offers nothing to its owner, who may not reactivate it', async () => {
  page.set({ is_admin: false });
  await roster.deactivateBot(ada);
  expect(store.notices.value).toEqual([{ id: expect.any(Number), text: 'Ada deactivated' }]);
});

test('An action on many people is undone for as many as possible, and the others are named', async () => {
  /** Does the action of the newest notice, which the service refuses for one person. */
  const undoExcept = async (path: string): Promise<void> => {
    page.answer = () =>
      page.calls.at(-1)?.call.includes(path) ? { status: 400, body: { msg: 'No' } } : { body: {} };
    const { action } = store.notices.value.at(-1);
    expect(action.label).toBe('Undo');
    action.run();
    await page.pass(0);
  };
  await many.deactivateMany([2, 3]);
  expect(page.calls.map(({ call }) => call)).toEqual(['DELETE /users/2', 'DELETE /users/3']);
  await undoExcept('/users/3');
  expect(texts().slice(1)).toEqual(['1 person reactivated', 'Couldn’t reactivate everyone: Bo: No']);
  await many.setRoleOfMany([2], 600);
  await undoExcept('/users/2');
  expect(texts().at(-1)).toBe('Couldn’t restore everyone’s role: Ada: No');
});

test('Names of emoji are fetched once, and again if that failed', async () => {
  emoji.emojiNames.value = new Map();
  const names = { '1f44d': ['+1', 'thumb'] };
  const fetched = vi.fn(async (_target: string) => Response.json({ code_to_names: names }));
  fetched.mockRejectedValueOnce(new TypeError('fetch failed'));
  vi.stubGlobal('fetch', fetched);
  await emoji.loadEmojiNames();
  expect(emoji.emojiNames.value.size).toBe(0);
  await Promise.all([emoji.loadEmojiNames(), emoji.loadEmojiNames()]);
  await emoji.loadEmojiNames();
  expect(fetched.mock.calls.map(([target]) => target)).toEqual(['/static/emoji.json', '/static/emoji.json']);
  expect([...emoji.emojiNames.value]).toEqual(Object.entries(names));
});
