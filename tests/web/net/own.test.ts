import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { openPage } from './page.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const page = await openPage(service, ada);
const { emoji, own, snippets, store } = page.net;

const server = () => store.server.value;

test('Own settings are saved, and a file that is no picture is refused', async () => {
  await own.saveSettings({ twenty_four_hour_time: true });
  await page.sees(() => server().user_settings.twenty_four_hour_time);
  await expect(own.sendPicture('/users/me/avatar', new File(['x'], 'me.txt'))).rejects.toThrow(/./);
});

test('An alert word is added, removed and added again, and a person muted, unmuted and muted again', async () => {
  await own.addAlertWord('soup');
  await page.sees(() => server().alert_words.includes('soup'));
  await own.removeAlertWord('soup');
  expect(page.notice()?.text).toBe('“soup” removed');
  await page.sees(() => !server().alert_words.includes('soup'));
  page.undo();
  await page.sees(() => server().alert_words.includes('soup'));
  page.refuseNext('Not today');
  await own.removeAlertWord('soup');
  expect(page.notice()).toEqual({ id: expect.any(Number), text: 'Couldn’t remove the word: Not today' });

  const { mutedPeople } = store;
  expect(await own.mutePerson(bo.userId)).toBe(true);
  await page.sees(() => mutedPeople.value.has(bo.userId));
  await own.unmutePerson(bo.userId);
  expect(page.notice()?.text).toBe('Bo unmuted');
  await page.sees(() => !mutedPeople.value.has(bo.userId));
  page.undo();
  await page.sees(() => mutedPeople.value.has(bo.userId));
  expect(await own.mutePerson(ada.userId)).toBe(false);
  expect(page.notice()?.text).toBe('Couldn’t mute: Cannot mute self');
  await own.unmutePerson(ada.userId);
  expect(page.notice()).toMatchObject({ text: expect.stringMatching(/^Couldn’t unmute: /) });
  expect(page.notice()?.action).toBeUndefined();
});

test('Snippets are saved, edited and deleted', async () => {
  await snippets.saveSnippet('Hello', 'Good morning');
  await page.sees(() => server().saved_snippets.length === 1);
  const { id } = server().saved_snippets[0];
  await snippets.editSnippet(id, 'Hello', 'Good evening');
  await page.sees(() => server().saved_snippets[0].content === 'Good evening');
  expect(await snippets.deleteSnippet(id)).toBe(true);
  await page.sees(() => server().saved_snippets.length === 0);
  expect(await snippets.deleteSnippet(id)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t delete the snippet: /);
});

const codesOf = (text: string, most: number) =>
  emoji.findEmoji(text, most).map(({ emoji_code }: { emoji_code: string }) => emoji_code);

test('Emoji are found by their names: exact ones, those with that start, then those with such a word', () => {
  const custom = (id: string, name: string, deactivated = false) => [id, { id, name, deactivated }];
  const realm_emoji = Object.fromEntries([custom('1', 'heart_logo'), custom('2', 'old_heart', true)]);
  store.state.value = { ...store.state.value, server: { ...server(), realm_emoji } };
  emoji.emojiNames.value = new Map([
    ['1f495', ['two_hearts']],
    ['1f44d', ['+1', 'heart_thumb']],
    ['1f49f', ['heart_decoration']],
    ['2764', ['heart']],
    ['1f9e1', ['orange']],
    ['1f498', ['heart']],
  ]);
  expect(codesOf('Heart', 9)).toEqual(['2764', '1f498', '1f44d', '1', '1f49f', '1f495']);
  expect(codesOf('heart', 2)).toEqual(['2764', '1f498']);
  expect(codesOf('two hearts', 9)).toEqual(['1f495']);
  const found = { emoji_name: 'orange', emoji_code: '1f9e1', reaction_type: 'unicode_emoji' };
  expect(emoji.findEmoji('orange', 9)).toEqual([found]);
  expect(emoji.findEmoji('heart', 1)).toMatchObject([{ emoji_name: 'heart' }]);
});

test('An emoji of several names is found by the one that starts with the text, if it has such a name', () => {
  emoji.emojiNames.value = new Map([
    ['1f31d', ['two_suns']],
    ['1f31e', ['bright_sun', 'sunny']],
  ]);
  const names = (text: string) =>
    emoji.findEmoji(text, 9).map(({ emoji_name }: { emoji_name: string }) => emoji_name);
  expect(names('sun')).toEqual(['sunny', 'two_suns']);
  expect(names('un')).toEqual(['two_suns', 'bright_sun']);
});

test('An emoji whose name is the text itself comes first, then popular ones, the most popular first', () => {
  const popular = ['1f44d', '1f389', '2764', '1f642', '1f440', '1f419', '1f64f', '1f604'];
  emoji.emojiNames.value = new Map([
    ['1f9e1', ['smile']],
    ...popular.toReversed().map((code, at): [string, string[]] => [code, [`smile_${at}`]]),
  ]);
  expect(codesOf('smile', 9)).toEqual(['1f9e1', ...popular]);
});

test('A code of an emoji becomes its characters, and a sign among letters its picture', () => {
  const { charactersOf } = emoji;
  expect(charactersOf('1f44d')).toBe('👍');
  expect(charactersOf('1f1e9-1f1ea')).toBe('🇩🇪');
  expect(charactersOf('2764')).toBe('\u{2764}\u{fe0f}');
  expect(charactersOf('1efff')).toBe('\u{1efff}\u{fe0f}');
  expect(charactersOf('1f000')).toBe('\u{1f000}');
  for (const code of ['', 'logo', '1f44d-', '1F44D']) expect(charactersOf(code)).toBe('');
});

test('Another key is created when the browser signs in again, by the password', async () => {
  const answers: string[] = [];
  page.network = (method, path) => {
    if (method !== 'POST' || !/api_key|session/.test(path)) return undefined;
    const answer = async () => {
      await setImmediate();
      answers.push(path);
      return Response.json({ result: 'success', msg: '', api_key: `key ${answers.length}` });
    };
    return answer();
  };
  const before = page.calls.length;
  await own.rotateApiKey(PASSWORD);
  page.network = undefined;
  expect(answers).toEqual(['/fetch_api_key', '/users/me/api_key/regenerate', '/session']);
  expect(own.shownKey.value).toBe('key 2');
  const proof = { username: ada.email, password: PASSWORD };
  expect(page.calls.slice(before).map(({ params }) => params)).toEqual([proof, {}, proof]);
});

test('The key appears after the password was given, the old one until the change and the new one then', async () => {
  await expect(own.revealApiKey('wrong')).rejects.toThrow(/./);
  await own.revealApiKey(PASSWORD);
  expect(own.shownKey.value).toBe(ada.apiKey);
  await own.changePassword(PASSWORD, `${PASSWORD} more`);
  ada.apiKey = (await service.clientOf(ada.email)).apiKey;
  await own.revealApiKey(`${PASSWORD} more`);
  expect(own.shownKey.value).toBe(ada.apiKey);
});
