import { describe, expect, test } from 'vitest';
import { fillLog } from '#tests/harness/backlog.ts';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();

const row = (visitor: Visitor, name: string) => visitor.page.getByRole('row', { name });
const chip = (visitor: Visitor, name: string) =>
  visitor.page.locator('.inbox-filters').getByRole('button', { name, exact: true });
/** The names of the first rows. */
const firstRows = (visitor: Visitor, count: number): Promise<string[]> =>
  visitor.page
    .locator('.recent-line .inbox-name')
    .allTextContents()
    .then((names) => names.slice(0, count));

describe.runIf(browser)('Recent conversations in a browser', () => {
  test('Shows a conversation older than the loaded messages, down to the last one', async () => {
    await bo.send(channel.name, 'ancient', 'a word from long ago');
    const { channelId, name: channelName } = channel;
    const place = { channelId, channelName };
    const fill = (count: number, topic: (position: number) => string) =>
      fillLog(stage.service.services, place, count, count, undefined, (at) => ({ topic: topic(at) }));
    await fill(2_000, () => 'busy');
    await fill(60, (position) => `topic ${position}`);
    const { visitor, page } = await open('#recent');
    await row(visitor, 'topic').first().waitFor();
    expect(await row(visitor, 'ancient').count()).toBe(0);
    const more = page.getByRole('button', { name: 'Show older conversations' });
    await more.click();
    await row(visitor, 'ancient').getByText('Bo: a word from long ago').waitFor();
    await more.waitFor({ state: 'detached' });
    await visitor.expectAccessible();
  });

  test('Follows new messages, edits, moves and deletions', async () => {
    await bo.send(channel.name, 'first', 'one');
    await bo.send(channel.name, 'second', 'two');
    const { visitor } = await open('#recent');
    await eventually(() => firstRows(visitor, 2)).toEqual(['second', 'first']);
    const id = await bo.send(channel.name, 'first', 'three');
    await eventually(() => firstRows(visitor, 2)).toEqual(['first', 'second']);
    await bo.patch(`/messages/${id}`, { content: 'changed' });
    await row(visitor, 'first').getByText('Bo: changed').waitFor();
    await bo.patch(`/messages/${id}`, {
      topic: 'third',
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    });
    await eventually(() => firstRows(visitor, 3)).toEqual(['third', 'second', 'first']);
    await stage.service.owner.delete(`/messages/${id}`);
    await row(visitor, 'third').waitFor({ state: 'detached' });
  });

  test('Grows with new conversations up to a limit, and shows the others on demand', async () => {
    const { visitor, page } = await open('#recent');
    const lines = page.locator('.recent-line');
    await lines.first().waitFor();
    for (let count = 1; count <= 70; count++) await bo.send(channel.name, `arrival ${count}`, 'new');
    await row(visitor, 'arrival 70').waitFor();
    await eventually(() => lines.count()).toBe(60);
    expect(await row(visitor, 'arrival 10').count()).toBe(0);
    await page.getByRole('button', { name: 'Show older conversations' }).click();
    await row(visitor, 'arrival 10').waitFor();
  });

  test('Filters by kind, sorts by unread messages, and includes muted topics on request', async () => {
    await ada.send(channel.name, 'mine', 'my words', { read_by_sender: true });
    for (const word of ['a', 'b', 'c', 'd']) await bo.send(channel.name, 'long', word);
    await bo.sendDirect([ada.userId], 'between us');
    await bo.send(channel.name, 'hushed', 'quiet');
    await ada.post('/user_topics', { stream_id: channel.channelId, topic: 'hushed', visibility_policy: 1 });
    const { visitor, page } = await open('#recent');
    await eventually(() => firstRows(visitor, 3)).toEqual(['Bo', 'long', 'mine']);
    await page.getByRole('columnheader', { name: 'Unread' }).getByRole('button').click();
    await eventually(async () => (await firstRows(visitor, 3)).includes('mine')).toBe(false);
    await page.getByRole('columnheader', { name: 'Active' }).getByRole('button').click();
    await chip(visitor, 'Include muted').click();
    await eventually(() => firstRows(visitor, 2)).toEqual(['hushed', 'Bo']);
    await chip(visitor, 'Direct').click();
    // The conversation with the bot that welcomes is another direct one, if its message was loaded.
    await eventually(() => firstRows(visitor, 1)).toEqual(['Bo']);
    await chip(visitor, 'I took part').click();
    await eventually(() => firstRows(visitor, 9)).toEqual(['mine']);
    await chip(visitor, 'Unread').click();
    await row(visitor, 'mine').waitFor({ state: 'detached' });
    await row(visitor, '› long').waitFor();
  });

  test('Leaves people and last words out on a telephone', async () => {
    const { visitor, page } = await open('#recent', { viewport: { width: 360, height: 740 } });
    await row(visitor, '› long').waitFor();
    const headers = page.getByRole('columnheader');
    expect(await headers.allTextContents()).toEqual(['Conversation', 'Unread', 'Active ↓']);
    expect(await page.locator('.recent .of-words').first().isVisible()).toBe(false);
    expect(await page.locator('.recent .of-people').first().isVisible()).toBe(false);
  });

  test('Shows loaded conversations when the list cannot be fetched', async () => {
    const { visitor, page } = await open(hashOf('long'));
    await visitor.reads('d');
    await page.route('**/api/v1/conversations**', (route) => route.abort());
    await visitor.goTo(stage.service, '#recent');
    await row(visitor, '› long').waitFor();
    await visitor.context.close();
  });

  test('The inbox shows the people of a conversation whose messages are not loaded', async () => {
    await bo.send(channel.name, 'people', 'one');
    await ada.send(channel.name, 'people', 'two');
    await bo.send(channel.name, 'people', 'three');
    const { page } = await open('#inbox');
    const line = page.locator('.inbox-line', { hasText: 'people' });
    await line.locator('.inbox-people', { hasText: 'Bo' }).waitFor();
    await line.getByText('Bo: three').waitFor();
  });
});
