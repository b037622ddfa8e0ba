import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { load, openStillPage, type StillPage } from '../still-page.ts';
import { expectAsked } from './asked.ts';

const [own, snippets, emoji, store, api] = await load(
  '#web/net/own-settings.ts',
  '#web/net/snippets.ts',
  '#web/net/emoji.ts',
  '#web/net/store.ts',
  '#web/net/api.ts',
);

let page: StillPage;
beforeEach(() => {
  page = openStillPage({
    delivery_email: 'me@example.com',
    server_emoji_data_url: 'https://chat.example.com/static/emoji.json',
  } as never);
  store.notices.value = [];
  api.session.value = 'in';
});
afterEach(() => {
  api.session.value = 'unknown';
  page.close();
});

const notice = () => store.notices.value.at(-1);
const asked = () => page.calls.map(({ call, params }) => [call, params]);
const proof = { username: 'me@example.com', password: 'secret' };

test('The viewer’s own settings call the service', () =>
  expectAsked(page, [
    [() => own.saveSettings({ color_scheme: 2 }), 'PATCH /settings', { color_scheme: 2 }],
    [() => own.changePassword('old', 'new'), 'PATCH /settings', { old_password: 'old', new_password: 'new' }],
    [() => own.revealApiKey('secret'), 'POST /fetch_api_key', proof],
    [() => own.addAlertWord('soup'), 'POST /users/me/alert_words', { alert_words: ['soup'] }],
    [() => own.removeAlertWord('soup'), 'DELETE /users/me/alert_words', { alert_words: ['soup'] }],
    [() => own.mutePerson(2), 'POST /users/me/muted_users/2'],
    [() => own.unmutePerson(2), 'DELETE /users/me/muted_users/2'],
    [
      () => snippets.saveSnippet('Hello', 'Good day'),
      'POST /saved_snippets',
      { title: 'Hello', content: 'Good day' },
      'once',
    ],
    [
      () => snippets.editSnippet(3, 'Hello', 'Good day'),
      'PATCH /saved_snippets/3',
      { title: 'Hello', content: 'Good day' },
    ],
    [() => snippets.deleteSnippet(3), 'DELETE /saved_snippets/3'],
  ]));

test('Removed things return by their notice', async () => {
  await own.removeAlertWord('soup');
  expect(notice()).toMatchObject({ text: '“soup” removed', action: { label: 'Undo' } });
  notice().action.run();
  await own.unmutePerson(2);
  expect(notice()).toMatchObject({ text: 'Ada unmuted', action: { label: 'Undo' } });
  notice().action.run();
  await page.pass(0);
  expect(asked().map(([call]) => call)).toEqual([
    ...['DELETE /users/me/alert_words', 'POST /users/me/alert_words'],
    ...['DELETE /users/me/muted_users/2', 'POST /users/me/muted_users/2'],
  ]);
});

test('A refusal appears in the words of the service, and offers nothing to undo', async () => {
  page.answer = () => ({ status: 400, body: { msg: 'Not today' } });
  const refused: [() => Promise<unknown>, string][] = [
    [() => own.removeAlertWord('soup'), 'Couldn’t remove the word'],
    [() => own.mutePerson(2), 'Couldn’t mute'],
    [() => own.unmutePerson(2), 'Couldn’t unmute'],
    [() => snippets.deleteSnippet(3), 'Couldn’t delete the snippet'],
  ];
  for (const [wish, words] of refused) {
    store.notices.value = [];
    expect(await wish()).not.toBe(true);
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text: `${words}: Not today` }]);
  }
});

describe('An API key on the page', () => {
  test('Appears after the password was given, and stays hidden otherwise', async () => {
    own.shownKey.value = '';
    page.answer = () => ({ status: 403, body: { msg: 'Wrong password' } });
    await expect(own.revealApiKey('guess')).rejects.toThrow('Wrong password');
    expect(own.shownKey.value).toBe('');
    page.answer = () => ({ body: { api_key: 'key' } });
    await own.revealApiKey('secret');
    expect(own.shownKey.value).toBe('key');
  });

  test('Changes after the password was given, and the viewer stays signed in', async () => {
    page.answer = () => ({ body: { api_key: `key ${page.calls.length}` } });
    await own.rotateApiKey('secret');
    expect(asked()).toEqual([
      ['POST /fetch_api_key', proof],
      ['POST /users/me/api_key/regenerate', {}],
      ['POST /session', proof],
    ]);
    expect(own.shownKey.value).toBe('key 2');
    page.calls.length = 0;
    page.answer = () => ({ status: 403, body: { msg: 'Wrong password' } });
    await expect(own.rotateApiKey('guess')).rejects.toThrow('Wrong password');
    expect(page.calls).toHaveLength(1);
  });
});

test('A password changes together with the session, which a call may have found expired', async () => {
  api.session.value = 'out';
  await own.changePassword('old', 'new');
  expect(api.session.value).toBe('unknown');
});

test('An account is closed at the service first, and then an empty page is loaded', async () => {
  const left: string[] = [];
  Object.assign(page.location, {
    assign: (to: string) => left.push(to, ...asked().map(([call]) => `${call}`)),
  });
  await own.deactivateSelf();
  expect(left).toEqual(['/login/', 'DELETE /users/me']);
});

test('A picture is sent under its name with its parameters, and refused in the words of the service', async () => {
  const sent: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
    sent.push([target, init]);
    return new Response(null, { status: sent.length > 2 ? 400 : 200 });
  });
  const picture = new File(['x'], 'me.png');
  await own.sendPicture('/users/me/avatar', picture);
  await own.sendPicture('/bots/2', picture, { method: 'PATCH', fields: { name: 'Echo' } });
  const always = { credentials: 'same-origin', body: expect.any(FormData) };
  expect(sent).toEqual([
    ['/api/v1/users/me/avatar', { ...always, method: 'POST' }],
    ['/api/v1/bots/2', { ...always, method: 'PATCH' }],
  ]);
  const forms = sent.map(([, { body }]) => [...(body as FormData)]);
  const file = ['file', expect.objectContaining({ name: 'me.png' })];
  expect(forms).toEqual([[file], [['name', 'Echo'], file]]);
  await expect(own.sendPicture('/users/me/avatar', picture)).rejects.toThrow(
    'Something went wrong (error 400).',
  );
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
