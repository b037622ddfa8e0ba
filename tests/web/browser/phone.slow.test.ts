import { describe, expect, test } from 'vitest';
import { eventually, type Visitor } from './browser.ts';
import { TELEPHONE } from './finger.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, open, openMessage } = await openPair();
// The welcome is unread.
await ada.post('/mark_all_as_read', {});

const placesOf = ({ page }: Visitor) => page.getByRole('navigation', { name: 'Main' });

describe.runIf(browser)('The bar of places', () => {
  test('Leads to chats, the inbox, the search and the own menu, and marks the current place', async () => {
    const { visitor, page } = await open('#inbox', TELEPHONE);
    const places = placesOf(visitor);
    const current = places.locator('[aria-current=page]');
    await eventually(() => current.allInnerTexts()).toEqual(['Inbox']);
    await visitor.expectPresentable();
    for (const target of await places.locator('.tab').all()) {
      const { width, height } = (await target.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    await places.getByRole('link', { name: 'Chats' }).click();
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    expect(await current.innerText()).toBe('Chats');
    await visitor.expectAccessible();
    await places.getByRole('button', { name: 'Search' }).click();
    await page.locator('#search-input:focus').waitFor();
    // The keyboard of the screen covers the bottom.
    await places.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Navigation' }).waitFor();
    await places.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('button', { name: 'Close search' }).focus();
    await places.getByRole('link', { name: 'Inbox' }).click();
    await page.locator('#search-input').waitFor({ state: 'detached' });
    await places.getByRole('button', { name: 'You' }).click();
    const sheet = (): Promise<{ x: number; width: number } | null> => page.locator('.layer').boundingBox();
    await eventually(sheet).toMatchObject({ x: 0, width: TELEPHONE.viewport.width });
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click();
    await eventually(() => current.allInnerTexts()).toEqual([expect.stringContaining('You')]);
  });

  test('Counts new messages plainly, and messages about the viewer with a mark', async () => {
    const { visitor } = await open('#inbox', TELEPHONE);
    const inbox = placesOf(visitor).getByRole('link', { name: /Inbox/ });
    await bo.send(channel.name, 'counts', 'news for everyone');
    await eventually(() => inbox.innerText()).toMatch(/^Inbox\s+1\s+1 unread$/);
    await bo.send(channel.name, 'counts', `@**Ada** news for you`);
    await eventually(() => inbox.innerText()).toMatch(/^Inbox\s+@1\s+1 unread for you$/);
    await visitor.expectAccessible();
  });

  test('Leaves the bottom to the message box, and to wider windows and paper', async () => {
    const { visitor, page } = await openMessage('bottom', 'at the bottom', TELEPHONE);
    const places = placesOf(visitor);
    expect(await places.isVisible()).toBe(false);
    const { y, height } = (await page.locator('.dock').boundingBox())!;
    expect(Math.round(y + height)).toBe(TELEPHONE.viewport.height);
    await visitor.goTo(stage.service, '#recent');
    await places.waitFor();
    await page.locator('.write-button').waitFor();
    const bar = (await places.boundingBox())!;
    const write = (await page.locator('.write-button').boundingBox())!;
    expect(write.y + write.height).toBeLessThan(bar.y);
    await page.emulateMedia({ media: 'print' });
    await places.waitFor({ state: 'hidden' });
    await page.emulateMedia({ media: 'screen' });
    await places.waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await places.waitFor({ state: 'hidden' });
  });
});
