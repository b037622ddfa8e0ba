import { describe, test } from 'vitest';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, ada, bo, channel, hashOf, open, openMessage } = await openPair();

/** The elements that keys open from a selected message, and the focus once Escape has closed it. */
const OPENED: [what: string, key: string, opened: string][] = [
  ['the switcher', 'Control+k', '[role=combobox]'],
  ['the menu of a message', 'i', '[role=menuitem]'],
  ['the emoji', ':', '[type=search]'],
  ['the card of the sender', 'u', '.layer'],
  ['moving', 'm', 'select'],
  ['who has read it', 'V', 'button'],
  ['editing', 'e', 'textarea'],
  ['the menu of the organization', 'g', '[role=menuitem]'],
  ['the message box', 'c', 'textarea'],
  ['people to write to', 'x', '[role=combobox]'],
  ['the filter of people', 'w', '[type=search]'],
];

describe.runIf(browser)('In a browser', () => {
  test('The focus returns to the message when Escape closes something that a key opened', async () => {
    const { page } = await openMessage('focus', 'a thought', {}, ada);
    await page.keyboard.press('k');
    await page.locator('article:focus').waitFor();
    for (const [what, key, opened] of OPENED) {
      await page.keyboard.press(key);
      await page.locator(`${opened}:focus`).waitFor();
      await page.keyboard.press('Escape');
      const focused = () => page.evaluate(() => document.activeElement?.localName);
      await eventually(focused, { message: what }).toBe('article');
    }
  });

  test('The focus stays near a removed element, and never falls to the document', async () => {
    await bo.send(channel.name, 'near', 'anything');
    const { page } = await open('#settings/alert-words');
    const focused = () => page.evaluate(() => document.activeElement?.localName);
    await page.getByLabel('Word or phrase').fill('lighthouse');
    await page.getByRole('button', { name: 'Add' }).press('Enter');
    const remove = page.getByRole('button', { name: 'Remove lighthouse' });
    await remove.waitFor();
    await page.locator('button:focus', { hasText: 'Add' }).waitFor();
    await remove.press('Enter');
    await remove.waitFor({ state: 'detached' });
    await eventually(focused).toBe('section');
    await page.keyboard.press('?');
    await page.getByRole('heading', { level: 1, name: 'Keyboard shortcuts' }).waitFor();
    await eventually(focused).toBe('main');
  });

  test('A dialog starts at its first field, and a preview leads back to its text', async () => {
    const { visitor, page } = await open(hashOf('preview'));
    await visitor.composer.fill('**bold**');
    await page.keyboard.press('Alt+p');
    await page.locator('section:focus', { hasText: 'bold' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#compose-text:focus').waitFor();
    await page.getByRole('button', { name: 'Schedule message' }).press('Enter');
    await page.locator('.dialog-body :focus').waitFor();
  });
});
