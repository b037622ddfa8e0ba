import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService, type TestService } from '#tests/harness/service.ts';
import { openPage, type Page } from './page.ts';

let service: TestService;
let ada: Client;
let bo: Client;
let page: Page;
beforeAll(async () => {
  service = await startTestService();
  [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  page = await openPage(service, ada);
});
afterAll(async () => {
  await page.close();
  await service.stop();
});

const server = () => page.net.store.server.value;

test('own settings are saved, and what is no picture is refused', async () => {
  const { own } = page.net;
  await own.saveSettings({ twenty_four_hour_time: true });
  await page.sees(() => server().user_settings.twenty_four_hour_time);
  await expect(own.sendPicture('/users/me/avatar', new File(['x'], 'me.txt'))).rejects.toThrow(/./);
});

test('an alert word is added, removed and added again, and a person muted, unmuted and muted again', async () => {
  const { own } = page.net;
  await own.addAlertWord('soup');
  await page.sees(() => server().alert_words.includes('soup'));
  await own.removeAlertWord('soup');
  expect(page.notice()?.text).toBe('“soup” is no alert word now.');
  await page.sees(() => !server().alert_words.includes('soup'));
  page.undo();
  await page.sees(() => server().alert_words.includes('soup'));
  page.refuseNext('Not today');
  await own.removeAlertWord('soup');
  expect(page.notice()).toEqual({ id: expect.any(Number), text: 'The word was not removed: Not today' });

  const { mutedPeople } = page.net.store;
  expect(await own.mutePerson(bo.userId)).toBe(true);
  await page.sees(() => mutedPeople.value.has(bo.userId));
  await own.unmutePerson(bo.userId);
  expect(page.notice()?.text).toBe('Bo is not muted now.');
  await page.sees(() => !mutedPeople.value.has(bo.userId));
  page.undo();
  await page.sees(() => mutedPeople.value.has(bo.userId));
  expect(await own.mutePerson(ada.userId)).toBe(false);
  expect(page.notice()?.text).toBe('Not muted: Cannot mute self');
  await own.unmutePerson(ada.userId);
  expect(page.notice()).toMatchObject({ text: expect.stringMatching(/^Not unmuted: /) });
  expect(page.notice()?.action).toBeUndefined();
});

test('snippets are saved, edited and deleted', async () => {
  const { snippets } = page.net;
  await snippets.saveSnippet('Hello', 'Good morning');
  await page.sees(() => server().saved_snippets.length === 1);
  const { id } = server().saved_snippets[0];
  await snippets.editSnippet(id, 'Hello', 'Good evening');
  await page.sees(() => server().saved_snippets[0].content === 'Good evening');
  expect(await snippets.deleteSnippet(id)).toBe(true);
  await page.sees(() => server().saved_snippets.length === 0);
  expect(await snippets.deleteSnippet(id)).toBe(false);
  expect(page.notice()?.text).toMatch(/^The snippet was not deleted: /);
});

test('the key is shown for the password, the old one until it is changed and the new one then', async () => {
  const { own } = page.net;
  await expect(own.revealApiKey('wrong')).rejects.toThrow(/./);
  await own.revealApiKey(PASSWORD);
  expect(own.shownKey.value).toBe(ada.apiKey);
  await own.changePassword(PASSWORD, `${PASSWORD} more`);
  ada.apiKey = (await service.clientOf(ada.email)).apiKey;
  await own.revealApiKey(`${PASSWORD} more`);
  expect(own.shownKey.value).toBe(ada.apiKey);
});
