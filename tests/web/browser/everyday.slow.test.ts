import { describe, expect, test } from 'vitest';
import { makePicture } from '#tests/harness/pictures.ts';
import { STEP } from './browser.ts';
import { launchBrowser } from './launch.ts';
import { openPair } from './pair.ts';

const browser = await launchBrowser();
const { stage, ada, bo, channel, hashOf, open } = await openPair(browser);

describe.runIf(browser)('In a browser', () => {
  test('An attached picture is shown in the message, and fills the screen of a telephone', async () => {
    const visitor = await open(hashOf('pictures'));
    const chooser = visitor.page.waitForEvent('filechooser');
    await visitor.page.getByRole('button', { name: 'Attach files' }).click();
    const buffer = Buffer.from(await makePicture({ width: 80, height: 60 }));
    await (await chooser).setFiles({ name: 'sketch.png', mimeType: 'image/png', buffer });
    await visitor.uploads('sketch.png');
    await visitor.page.getByRole('button', { name: 'Send', exact: true }).click();
    const picture = visitor.page.locator('.message:not(.pending) .rendered img');
    await picture.waitFor();
    const width = () => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth);
    await expect.poll(width, STEP).toBeGreaterThan(0);
    const telephone = { width: 360, height: 740 };
    await visitor.page.setViewportSize(telephone);
    await picture.click();
    const box = () => visitor.page.getByRole('dialog', { name: 'Picture' }).boundingBox();
    await expect.poll(box, STEP).toEqual({ x: 0, y: 0, ...telephone });
    await visitor.page.keyboard.press('Escape');
    await visitor.page.locator('img:focus').waitFor();
    await visitor.leave();
  });

  test('Many pictures form a gallery, which arrow keys walk through and Escape leaves', async () => {
    const pictures = await Promise.all(
      [40, 60, 80].map(async (width) => Buffer.from(await makePicture({ width, height: 60 }))),
    );
    const visitor = await open(hashOf('gallery'));
    const { page } = visitor;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles(
      pictures.map((buffer, index) => ({ name: `shot-${index + 1}.png`, mimeType: 'image/png', buffer })),
    );
    await visitor.uploads('shot-1.png', 'shot-2.png', 'shot-3.png');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const shown = page.locator('.message:not(.pending) .rendered img');
    await expect.poll(() => shown.count(), STEP).toBe(3);
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
    await visitor.leave();
  });

  test('Tabs of settings that do not fit fade at the edge of a telephone', async () => {
    const visitor = await open('#settings/profile', { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    const names = page.getByRole('navigation', { name: 'Settings' });
    const fading = () =>
      names.evaluate((line) => ['before', 'after'].filter((end) => line.hasAttribute(`data-more-${end}`)));
    await expect.poll(fading, STEP).toEqual(['after']);
    await visitor.goTo(stage.service, '#settings/topics');
    await expect.poll(fading, STEP).toEqual(['before']);
    await visitor.leave();
  });

  test('A draft is still there after a reload', async () => {
    const visitor = await open(hashOf('begun'));
    await visitor.composer.fill('half a thought');
    await visitor.page.reload();
    await expect.poll(() => visitor.composer.inputValue(), STEP).toBe('half a thought');
    await visitor.leave();
  });

  test('A message for later is stored by the service until then', async () => {
    const visitor = await open(hashOf('later'));
    await visitor.composer.fill('good morning');
    await visitor.page.getByRole('button', { name: 'Schedule message' }).click();
    await visitor.page.getByRole('button', { name: 'In 1 hour' }).click();
    await expect.poll(() => visitor.composer.inputValue(), STEP).toBe('');
    const { body } = await ada.get('/scheduled_messages');
    const contents = body.scheduled_messages.map(({ content }: { content: string }) => content);
    expect(contents).toEqual(['good morning']);
    await visitor.leave();
  });

  test('A search finds a message by a word of it', async () => {
    await bo.send(channel.name, 'fruit', 'The quince is ripe.');
    await bo.send(channel.name, 'fruit', 'The pear is not.');
    await stage.service.settle();
    const visitor = await open(hashOf('elsewhere'));
    await visitor.page.getByRole('button', { name: 'Search', exact: true }).click();
    await visitor.page.getByLabel('Search messages').fill('quince');
    await visitor.page.keyboard.press('Enter');
    await visitor.reads('The quince is ripe.');
    expect(await visitor.page.getByText('The pear is not.').count()).toBe(0);
    await visitor.expectFitting();
    await visitor.leave();
  });

  test('An address of a message opens its conversation there', async () => {
    const first = await bo.send(channel.name, 'long', 'the first of all');
    for (let index = 0; index < 60; index += 1) await bo.send(channel.name, 'long', `line ${index}`);
    const visitor = await open(hashOf('long', `/near/${first}`));
    await visitor.reads('the first of all');
    const place = visitor.page.locator(`[data-message-id="${first}"]`);
    await expect.poll(async () => ((await place.boundingBox())?.y ?? 9_999) < 800, STEP).toBe(true);
    await visitor.leave();
  });

  test('Opening a conversation marks it as read, and the counts decrease', async () => {
    const id = await bo.send(channel.name, 'counted', 'Have you seen this?');
    await stage.service.settle();
    const isRead = async (): Promise<boolean> => {
      const { body } = await ada.get(`/messages/${id}/read_receipts`);
      return body.user_ids.includes(ada.userId);
    };
    const visitor = await open(hashOf('elsewhere'));
    const title = (): Promise<string> => visitor.page.title();
    const icon = () => visitor.page.locator('link[rel=icon]').getAttribute('href');
    const row = visitor.page.getByRole('navigation').locator('a.row', { hasText: 'counted' });
    await expect.poll(title, STEP).toMatch(/^\(\d+\) /);
    await expect.poll(icon, STEP).toContain('icon-unread');
    await row.locator('.count', { hasText: '1' }).waitFor();
    expect(await isRead()).toBe(false);
    await row.click();
    await visitor.reads('Have you seen this?');
    await expect.poll(isRead, STEP).toBe(true);
    await row.locator('.count').waitFor({ state: 'detached' });
    await visitor.leave();
  });

  test('Everything works by keys alone: choose, reply, leave the box, jump, show the keys', async () => {
    await bo.send(channel.name, 'keys', 'older');
    await bo.send(channel.name, 'keys', 'newer');
    const visitor = await open(hashOf('keys'));
    const { keyboard } = visitor.page;
    await visitor.reads('newer');
    const focused = () => visitor.page.evaluate(() => document.activeElement?.textContent ?? '');
    await keyboard.press('k');
    await expect.poll(focused, STEP).toContain('newer');
    await keyboard.press('k');
    await expect.poll(focused, STEP).toContain('older');
    await keyboard.press('j');
    await expect.poll(focused, STEP).toContain('newer');
    await keyboard.press('r');
    await visitor.page.locator('#compose-text:focus').waitFor();
    await keyboard.type('answered by keys');
    await keyboard.press('Control+Enter');
    await visitor.reads('answered by keys');
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await visitor.page.getByRole('combobox').waitFor();
    await keyboard.type(channel.name);
    await keyboard.press('Enter');
    await visitor.page.getByRole('heading', { level: 1, name: channel.name }).waitFor();
    await keyboard.press('?');
    await visitor.page.getByRole('heading', { level: 1, name: 'Keyboard shortcuts' }).waitFor();
    await visitor.leave();
  });
});
