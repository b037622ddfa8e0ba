import { describe, expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { eventually } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();

describe.runIf(browser)('In a browser', () => {
  test('An attached picture is shown in the message, and fills the screen of a telephone', async () => {
    const { visitor, page } = await open(hashOf('pictures'));
    const buffer = Buffer.from(await makePicture({ width: 80, height: 60 }));
    await visitor.attach({ name: 'sketch.png', mimeType: 'image/png', buffer });
    await visitor.uploads('sketch.png');
    await visitor.send();
    const picture = page.locator('.message:not(.pending) .rendered img');
    await picture.waitFor();
    const width = () => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth);
    await eventually(width).toBeGreaterThan(0);
    const telephone = { width: 360, height: 740 };
    await page.setViewportSize(telephone);
    await picture.click();
    const box = () => page.getByRole('dialog', { name: 'Picture' }).boundingBox();
    await eventually(box).toEqual({ x: 0, y: 0, ...telephone });
    await page.keyboard.press('Escape');
    await page.locator('img:focus').waitFor();
  });

  test('Many pictures form a gallery, which arrow keys walk through and Escape leaves', async () => {
    const pictures = await Promise.all(
      [40, 60, 80].map(async (width) => Buffer.from(await makePicture({ width, height: 60 }))),
    );
    const { visitor, page } = await open(hashOf('gallery'));
    await visitor.attach(
      ...pictures.map((buffer, index) => ({ name: `shot-${index + 1}.png`, mimeType: 'image/png', buffer })),
    );
    await visitor.uploads('shot-1.png', 'shot-2.png', 'shot-3.png');
    await visitor.send();
    const shown = page.locator('.message:not(.pending) .rendered img');
    await eventually(() => shown.count()).toBe(3);
    await shown.nth(1).click();
    const viewer = page.getByRole('dialog', { name: 'Picture' });
    await viewer.getByText('2 of 3').waitFor();
    await visitor.expectAccessible();
    await page.keyboard.press('ArrowRight');
    await viewer.getByText('3 of 3').waitFor();
    await page.keyboard.press('ArrowRight');
    await viewer.getByText('3 of 3').waitFor();
    await page.keyboard.press('Home');
    await viewer.getByText('1 of 3').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
  });

  test('Tabs of settings that do not fit fade at the edge of a telephone', async () => {
    const { visitor, page } = await open('#settings/profile', { viewport: { width: 360, height: 740 } });
    const names = page.getByRole('navigation', { name: 'Settings' });
    const fading = () =>
      names.evaluate((line) => ['before', 'after'].filter((end) => line.hasAttribute(`data-more-${end}`)));
    await eventually(fading).toEqual(['after']);
    await visitor.goTo(stage.service, '#settings/topics');
    await eventually(fading).toEqual(['before']);
  });

  test('An address of a message opens its conversation there', async () => {
    const first = await bo.send(channel.name, 'long', 'the first of all');
    for (let index = 0; index < 60; index += 1) await bo.send(channel.name, 'long', `line ${index}`);
    const { visitor, page } = await open(hashOf('long', `/near/${first}`));
    await visitor.reads('the first of all');
    const place = page.locator(`[data-message-id="${first}"]`);
    await eventually(async () => ((await place.boundingBox())?.y ?? 9_999) < 800).toBe(true);
  });

  test('Opening a conversation marks it as read, and the counts decrease', async () => {
    const id = await bo.send(channel.name, 'counted', 'Have you seen this?');
    await stage.service.settle();
    const isRead = async (): Promise<boolean> => {
      const { body } = await ada.get(`/messages/${id}/read_receipts`);
      return body.user_ids.includes(ada.userId);
    };
    const { visitor, page } = await open(hashOf('elsewhere'));
    const title = (): Promise<string> => page.title();
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    const row = page.getByRole('navigation').locator('a.row', { hasText: 'counted' });
    await eventually(title).toMatch(/^\(\d+\) /);
    await eventually(icon).toContain('icon-unread');
    await row.locator('.count', { hasText: '1' }).waitFor();
    expect(await isRead()).toBe(false);
    await row.click();
    await visitor.reads('Have you seen this?');
    await eventually(isRead).toBe(true);
    await row.locator('.count').waitFor({ state: 'detached' });
  });

  test('Everything works by keys alone: choose, reply, leave the box, jump, show the keys', async () => {
    await bo.send(channel.name, 'keys', 'older');
    await bo.send(channel.name, 'keys', 'newer');
    const { visitor, page } = await open(hashOf('keys'));
    const { keyboard } = page;
    await visitor.reads('newer');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await keyboard.press('k');
    await eventually(focused).toContain('newer');
    await keyboard.press('k');
    await eventually(focused).toContain('older');
    await keyboard.press('j');
    await eventually(focused).toContain('newer');
    await keyboard.press('r');
    await page.locator('#compose-text:focus').waitFor();
    await keyboard.type('answered by keys');
    await keyboard.press('Control+Enter');
    await visitor.reads('answered by keys');
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await keyboard.type(channel.name);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: channel.name }).waitFor();
    await keyboard.press('?');
    await page.getByRole('heading', { level: 1, name: 'Keyboard shortcuts' }).waitFor();
  });
});
