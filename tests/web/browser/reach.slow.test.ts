import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open, openMessage } = await openPair();
const [cy] = await createUsers(stage.service, 'Cýnthia Ørsted');

/** Opens the emoji of the composer, and searches them. */
async function searchEmoji(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Insert emoji' }).click();
  await page.getByRole('searchbox', { name: 'Search emoji' }).fill(words);
}

describe.runIf(browser)('Shortcuts in a browser', () => {
  test('The key c starts a message anywhere, to a topic and to a group', async () => {
    const { visitor, page } = await open('#inbox');
    await page.locator('.main h1').click();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New message' });
    await dialog.getByRole('combobox').fill(channel.name);
    await dialog.getByRole('option', { name: channel.name }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('from anywhere');
    await visitor.expectAccessible();
    await page.keyboard.press('Enter');
    await visitor.composer.waitFor();
    await eventually(() => page.url()).toContain('from.20anywhere');
    await visitor.say('begun in the inbox');
    await visitor.reads('begun in the inbox');
    await page.getByRole('button', { name: 'New message', exact: true }).first().click();
    await dialog.getByRole('combobox').fill('Bo');
    await page.keyboard.press('Enter');
    await dialog.getByRole('combobox').fill('cynthia orsted');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove Cýnthia Ørsted' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Bo, Cýnthia Ørsted/ }).waitFor();
    await visitor.say('the three of us');
    await visitor.reads('the three of us');
    const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(body.messages[0].display_recipient.map(({ id }: { id: number }) => id).toSorted()).toEqual(
      [ada.userId, bo.userId, cy!.userId].toSorted(),
    );
  });

  test('The own status gets an emoji, appears beside the name, and is cleared', async () => {
    const { visitor, page } = await open(hashOf('status'));
    await visitor.say('look beside my name');
    await visitor.reads('look beside my name');
    await visitor.chooseOwn('Set your status…');
    const dialog = page.getByRole('dialog', { name: 'Set your status' });
    await dialog.getByRole('button', { name: 'On vacation' }).click();
    await dialog.getByLabel('Clear after').selectOption('This week');
    await visitor.expectPresentable();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('.message').getByRole('img', { name: 'On vacation' }).first().waitFor();
    await visitor.chooseOwn('Set your status…');
    await dialog.getByRole('button', { name: 'Clear status' }).click();
    await page.getByRole('img', { name: 'On vacation' }).first().waitFor({ state: 'detached' });
  });

  test('Search opens anywhere, completes at any place, resolves names and days, and remembers', async () => {
    await bo.send(channel.name, 'fruit', 'a quince from Bo');
    await ada.send(channel.name, 'fruit', 'a quince from Ada');
    await stage.service.settle();
    const { visitor, page } = await open('#drafts');
    await page.locator('.main h1').click();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search messages' });
    await field.pressSequentially('quince from:b');
    await page.getByRole('option', { name: /from:Bo/ }).waitFor();
    await visitor.expectAccessible();
    await field.press('Enter');
    await visitor.reads('a quince from Bo');
    await visitor.expectFitting();
    expect(await page.getByText('a quince from Ada').count()).toBe(0);
    await page.getByRole('button', { name: /^Remove sender:/ }).click();
    await visitor.reads('a quince from Ada');
    await field.fill(`date:${new Date().toISOString().slice(0, 10)} channel:${JSON.stringify(channel.name)}`);
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: channel.name }).waitFor();
    await page.locator('.main h1').click();
    await page.keyboard.press('/');
    await field.fill('');
    await page.getByRole('option', { name: /quince from:b/ }).waitFor();
  });

  test('Jump to finds topics of channels that were never opened, with one typing error', async () => {
    await bo.send(channel.name, 'onboarding checklist', 'one');
    const { page } = await open('#drafts');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Jump to' }).getByRole('combobox').fill('onbaording');
    await page.getByRole('option', { name: /onboarding checklist/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /onboarding checklist/ }).waitFor();
  });

  test('The menus of topics and rows rename, mute, copy, mark as unread and delete', async () => {
    const { visitor, page } = await openMessage('first name', 'some words');
    await page.getByRole('button', { name: 'Topic menu', exact: true }).click();
    await visitor.expectAccessible();
    await page.getByRole('menuitem', { name: 'Rename topic…' }).click();
    await page.getByRole('textbox', { name: 'Topic' }).fill('second name');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /second name/ }).waitFor();
    const row = page.locator('.rail a.row.topic', { hasText: 'second name' });
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Mute topic' }).click();
    await page.locator('.rail a.row.topic.muted', { hasText: 'second name' }).waitFor();
    const channelRow = page.locator('.rail .row-box', { hasText: channel.name }).first();
    await channelRow.hover();
    await channelRow.getByRole('button', { name: `Menu of ${channel.name}` }).click();
    const entries = [
      'New topic',
      'Mark as read',
      'Copy link',
      'Pin to the top',
      'Channel settings',
      'Unsubscribe',
    ];
    for (const name of entries) await page.getByRole('menuitem', { name, exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('Emoji are found by their exact name first and by other words, and used ones come first', async () => {
    const { visitor, page, composer } = await open(hashOf('emoji'));
    await composer.waitFor();
    const choose = async (words: string) => {
      await searchEmoji(page, words);
      await page.keyboard.press('Enter');
    };
    await choose('rocket');
    await visitor.expectDraft(':rocket: ');
    await choose('party');
    await visitor.expectDraft(/^:rocket: :(tada|partying_face|party_popper): $/);
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    const frequent = page.getByRole('region', { name: 'Frequently used' });
    await frequent.getByRole('button', { name: 'rocket' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('Menus of channels and topics offer notification choices', async () => {
    const { visitor, page } = await openMessage('bells', 'ring');
    const openMenuOf = async (name: string) => {
      const rail = page.getByRole('navigation');
      await rail.getByRole('button', { name: `Menu of ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Notifications…' }).click();
    };
    const choice = (name: string, checked = false) => page.getByRole('menuitemradio', { name, checked });
    for (const name of [channel.name, 'bells']) {
      await openMenuOf(name);
      await visitor.expectAccessible();
      await choice('Default', true).waitFor();
      await choice('Every message').click();
      await openMenuOf(name);
      await choice('Every message', true).waitFor();
      await page.keyboard.press('Escape');
    }
  });

  test('The compact density is chosen in the settings, and stays on the device', async () => {
    const { page } = await open('#inbox');
    await page.goto(`${stage.service.url}/#settings/preferences`);
    await page.getByLabel('Density').selectOption('Compact');
    const density = () => page.evaluate(() => document.documentElement.dataset.density);
    await eventually(density).toBe('compact');
    await page.reload();
    await eventually(density).toBe('compact');
    await page.getByLabel('Density').selectOption('Comfortable');
    await eventually(density).toBe('comfortable');
  });

  test('A skin tone that was chosen once is written from then on, and stays after a reload', async () => {
    const { visitor, page, composer } = await open(hashOf('tones'));
    await composer.waitFor();
    await searchEmoji(page, 'wave');
    await page.getByTitle('Medium-dark skin tone').click();
    expect(await page.getByRole('radio', { name: 'Medium-dark skin tone' }).isChecked()).toBe(true);
    await visitor.expectAccessible();
    await page.getByRole('button', { name: 'wave', exact: true }).click();
    await visitor.expectDraft('👋🏾 ');
    await page.reload();
    await composer.waitFor();
    await composer.fill('');
    await searchEmoji(page, '+1');
    await page.getByRole('searchbox', { name: 'Search emoji' }).press('Enter');
    await visitor.expectDraft('👍🏾 ');
    await visitor.send();
    await visitor.reads('👍🏾');
  });

  test('Tab reaches the composer soon, and arrows reach the controls of a message', async () => {
    for (let index = 0; index < 12; index += 1)
      await bo.send(channel.name, 'keys', `line ${index} with a [link](https://example.com)`);
    const { visitor, page } = await open(hashOf('keys'));
    await visitor.reads('line 11');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    let tabs = 0;
    const isInComposer = () => page.evaluate(() => document.activeElement?.id === 'compose-text');
    for (; tabs < 30 && !(await isInComposer()); tabs += 1) await page.keyboard.press('Tab');
    expect(tabs).toBeLessThanOrEqual(20);
    await page.locator('.main h1').click();
    const selectsMessage = async (): Promise<boolean> => {
      await page.keyboard.press('k');
      return page.locator('article:focus').isVisible();
    };
    await eventually(selectsMessage).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await eventually(() => page.evaluate(() => document.activeElement?.closest('article') !== null)).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    await page.locator('article:focus').waitFor();
    await visitor.expectAccessible();
  });
});
