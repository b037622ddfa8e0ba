import { describe, expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { TELEPHONE } from './finger.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();
await bo.send(channel.name, 'keys', 'which key?');

const enterSends = async (): Promise<unknown> =>
  (await ada.post('/register', {})).body.user_settings.enter_sends;

describe.runIf(browser)('The Enter key', () => {
  test('Gets an explanation at the first writing, and swaps its meanings with the other key', async () => {
    await ada.patch('/settings', { enter_sends: true });
    const { visitor, page, composer } = await open(hashOf('keys'));
    const hint = page.locator('.enter-hint');
    await visitor.reads('which key?');
    expect(await hint.count()).toBe(0);
    await composer.pressSequentially('Ho');
    await hint.getByText('Enter sends, Shift Enter starts a new line.').waitFor();
    await visitor.expectPresentable();
    await hint.getByRole('button', { name: 'Swap' }).click();
    await hint.getByText('Enter starts a new line, Ctrl Enter sends.').waitFor();
    await eventually(enterSends).toBe(false);
    await page.locator('#compose-text:focus').waitFor();
    await page.keyboard.type('la');
    await hint.getByRole('button', { name: 'Got it' }).click();
    await hint.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await visitor.reads('Hola');
    await page.reload();
    await composer.fill('Again');
    await visitor.expectDraft('Again');
    expect(await hint.count()).toBe(0);
  });

  test('Starts a new line on a telephone, and the button sends', async () => {
    await ada.patch('/settings', { enter_sends: true });
    const { visitor } = await open(hashOf('keys'), TELEPHONE);
    await visitor.composer.pressSequentially('first');
    await visitor.composer.press('Enter');
    await visitor.composer.pressSequentially('second');
    expect(await visitor.composer.inputValue()).toBe('first\nsecond');
    await visitor.send();
    await visitor.reads('second');
  });
});

describe.runIf(browser)('Names of keys', () => {
  test('Follow the keyboard of the language', async () => {
    await ada.patch('/settings', { default_language: 'de' });
    const { visitor, page } = await open('#keyboard-shortcuts');
    // Going elsewhere may cancel the reload by which a page gets the language of its account.
    await page.reload();
    await page.locator('.jump kbd', { hasText: 'Strg K' }).waitFor();
    for (const name of ['Strg Umschalt L', 'Bild ↓', 'Pos1', 'Ende', 'Entf', 'Leertaste'])
      await page.locator('.shortcuts kbd', { hasText: name }).first().waitFor();
    await visitor.leave();
    await ada.patch('/settings', { default_language: 'en' });
  });

  test('Change to the signs of a Mac on one', async () => {
    const { visitor, page } = await open('#inbox');
    await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }));
    await visitor.goTo(stage.service, '#keyboard-shortcuts');
    await page.reload();
    await page.locator('.jump kbd', { hasText: '⌘ K' }).waitFor();
    for (const name of ['⌘ ⇧ L', '⌃ [']) await page.locator('.shortcuts kbd', { hasText: name }).waitFor();
  });
});
