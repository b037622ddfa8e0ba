import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, ada, bo, channel, open } = await openPair();
for (const topic of ['alpha', 'beta'])
  for (let line = 1; line <= 14; line += 1)
    await bo.send(channel.name, topic, `${topic} ${line}\n\nand more`);
await bo.sendDirect([ada.userId], 'between us');
await ada.post('/mark_all_as_read', {});

const over = ({ page }: Visitor) => page.locator('.bar-over');

/** The distances of the bar from the upper edge of the feed and from both ends of a message. */
const placesOf = (page: Page) =>
  page.evaluate(() => {
    const rectOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    const [bar, feed, row] = ['.bar-over .bar', '.feed', '.feed-row .message'].map(rectOf);
    return { top: bar!.top - feed!.top, start: row!.left - bar!.left, end: bar!.right - row!.right };
  });

/** Puts the upper edge of the feed this far below the upper edge of the message with this text. */
const scrollPast = ({ page }: Visitor, text: string, px: number): Promise<void> =>
  page.locator('.message', { hasText: text }).evaluate((message, by) => {
    const feed = message.closest('.feed')!;
    feed.scrollBy(0, message.getBoundingClientRect().top - feed.getBoundingClientRect().top + by);
  }, px);

describe.runIf(browser)('The bar of a conversation in a feed of several', () => {
  test('Stays at the top while its messages pass, with its actions', async () => {
    const { visitor, page } = await open('#feed');
    await visitor.reads('between us');
    await page.locator('.bar', { hasText: 'You and Bo' }).waitFor();
    await scrollPast(visitor, 'beta 9', 10);
    await eventually(() => over(visitor).innerText()).toBe(`${channel.name}\n›\nbeta\nToday`);
    expect(await placesOf(page)).toEqual({ top: 0, start: 4, end: 4 });
    const size = page.viewportSize()!;
    await page.setViewportSize({ ...size, width: 1_800 });
    await eventually(() => placesOf(page)).toMatchObject({ start: 4, end: 4 });
    await page.setViewportSize(size);
    await visitor.expectAccessible();
    await scrollPast(visitor, 'beta 9', -40);
    const message = page.locator('.message', { hasText: 'beta 9' });
    await message.hover();
    await message.getByRole('button', { name: 'Quote and reply' }).click({ trial: true });
    await over(visitor).locator('[aria-label="Follow topic"]').click();
    await over(visitor).locator('[aria-label="Unfollow topic"][aria-pressed=true]').waitFor();
    const { body } = await ada.post('/register', {});
    expect(body.user_topics).toMatchObject([{ topic_name: 'beta', visibility_policy: 3 }]);
    await over(visitor).locator('[aria-label="Topic menu"]').click();
    await page.getByRole('menuitem', { name: 'Mark as read' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('Gives way to the next bar, and covers no selected message', async () => {
    const { visitor, page } = await open('#feed');
    await visitor.reads('between us');
    await scrollPast(visitor, 'beta 9', 10);
    await over(visitor).getByText('beta').waitFor();
    for (let press = 0; press < 20; press += 1) {
      await page.keyboard.press('k');
      const hidden = await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const bar = document.querySelector('.bar-over .bar')?.getBoundingClientRect().bottom ?? 0;
        const message = document.querySelector('[data-message-id]:focus .message')!;
        return Math.max(0, bar - message.getBoundingClientRect().top);
      });
      expect(hidden).toBeLessThanOrEqual(1);
    }
    await over(visitor).getByText('alpha').waitFor();
    await page.locator('.feed').evaluate((feed) => feed.scrollTo(0, 0));
    await page.locator('.feed-row > .bar', { hasText: 'channel events' }).waitFor();
    await over(visitor).waitFor({ state: 'detached' });
  });
});
