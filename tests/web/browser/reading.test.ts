import { describe, expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, bo, channel, hashOf, open } = await openPair();

describe.runIf(browser)('Reading in a browser', () => {
  test('A search on the screen adds the new messages that match it, and no others', async () => {
    await bo.send(channel.name, 'fruit', 'a first quince');
    await stage.service.settle();
    const { visitor, page } = await open('#narrow/search/quince');
    await visitor.reads('a first quince');
    await bo.send(channel.name, 'fruit', 'a pear');
    await bo.send(channel.name, 'fruit', 'a second quince');
    await visitor.reads('a second quince');
    const marked = page.locator('.message .highlight', { hasText: 'quince' });
    await eventually(() => marked.count()).toBe(2);
    expect(await page.getByText('a pear').count()).toBe(0);
  });

  test('The combined feed continues by itself, and screen readers announce it', async () => {
    await bo.send(channel.name, 'loud', 'an earlier message');
    const { visitor, page } = await open('#feed');
    await visitor.reads('an earlier message');
    await bo.send(channel.name, 'loud', 'a new message');
    await visitor.reads('a new message');
    const log = page.getByRole('log', { name: 'New messages' });
    await eventually(() => log.textContent()).toBe('Bo: a new message');
  });

  test('A link to a message shows the message on hover and on focus', async () => {
    const id = await bo.send(channel.name, 'linked', 'the linked message');
    await bo.send(channel.name, 'links', `see #**${channel.name}>linked@${id}**`);
    const { visitor, page } = await open(hashOf('links'));
    const link = page.locator('.rendered a', { hasText: 'linked' });
    await link.hover();
    const shown = page.getByRole('tooltip').filter({ hasText: 'the linked message' });
    await shown.waitFor();
    await page.locator('.main h1').hover();
    await shown.waitFor({ state: 'detached' });
    await link.focus();
    await shown.waitFor();
    await visitor.expectAccessible();
  });

  test('Keys choose, collapse, open, move, mention and mute the chosen row, and lead back', async () => {
    const id = await bo.send(channel.name, 'keys', 'the one that is chosen');
    const { visitor, page } = await open(hashOf('keys'));
    const { keyboard } = page;
    await visitor.reads('the one that is chosen');
    await keyboard.press('k');
    await page.locator(`[data-message-id="${id}"]:focus`).waitFor();
    await keyboard.press('-');
    await page.locator('.collapsed').waitFor();
    await keyboard.press('-');
    await keyboard.press('e');
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('textbox', { name: 'Message source' }).waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const message = page.locator(`[data-message-id="${id}"]:focus`);
    await message.waitFor();
    await keyboard.press('m');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await message.waitFor();
    await keyboard.press('i');
    await page.getByRole('menuitem', { name: 'Forward…' }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('@');
    await visitor.expectDraft('@**Bo** ');
    await visitor.composer.fill('');
    await keyboard.press('Escape');
    await keyboard.press('M');
    await page.locator('a.row.topic.muted', { hasText: 'keys' }).waitFor();
    await keyboard.press('s');
    await page.getByRole('heading', { level: 1, name: channel.name }).waitFor();
    await keyboard.press('Control+[');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  });

  test('Single keys do nothing if the viewer turned them off, and keys with Ctrl still work', async () => {
    const { page } = await open('#keyboard-shortcuts');
    await page.getByLabel('Use single-key').uncheck();
    await page.locator('.main h1').click();
    await page.keyboard.press('t');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Jump to' }).waitFor();
    expect(page.url()).toContain('#keyboard-shortcuts');
  });
});
