import { describe, expect, test } from 'vitest';
import { eventually, type Visitor } from './browser.ts';
import { Finger, TELEPHONE } from './finger.ts';
import { openPair } from './pair.ts';

const { browser, bo, channel, hashOf, open, openMessage } = await openPair();

/** The middle of the message with this text. */
async function placeOf({ page }: Visitor, text: string): Promise<{ x: number; y: number }> {
  const { x, y, height } = (await page.locator('.message', { hasText: text }).boundingBox())!;
  return { x: x + 60, y: y + height / 2 };
}

/**
 * Swipes until it has had its effect: the touched element may still move, and a busy browser cancels a touch that
 * waits.
 */
async function swipeUntil(hasHappened: () => Promise<boolean>, swipe: () => Promise<void>): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    if (await hasHappened()) return true;
    await swipe();
    return hasHappened();
  };
  await eventually(isDone, { interval: 300 }).toBe(true);
}

describe.runIf(browser)('On a telephone', () => {
  test('Lifting the finger that held a message presses nothing of the menu that opens under it', async () => {
    for (let line = 1; line <= 12; line += 1) await bo.send(channel.name, 'low', `line ${line} of it`);
    const { visitor, page } = await open(hashOf('low'), TELEPHONE);
    await visitor.reads('line 12 of it');
    await visitor.composer.click();
    const { x, y } = await placeOf(visitor, 'line 12 of it');
    const finger = await Finger.of(visitor);
    const sheet = page.getByRole('dialog', { name: 'Message' });
    for (const above of [0, 40, 80, 120]) {
      await finger.hold(x, y - above);
      await sheet.waitFor();
      await page.waitForTimeout(500);
      expect(await sheet.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
    }
  });

  test('Pressing a message with a finger opens its menu', async () => {
    await bo.send(channel.name, 'hold', 'hold me');
    const { visitor, page } = await open(hashOf('hold'), TELEPHONE);
    await page.evaluate(() => {
      navigator.vibrate = () => {
        document.documentElement.dataset.vibrates = '';
        return true;
      };
    });
    await visitor.reads('hold me');
    const { x, y } = await placeOf(visitor, 'hold me');
    const finger = await Finger.of(visitor);
    await finger.down(x, y);
    await page.locator('html[data-vibrates]').waitFor();
    await finger.up();
    const sheet = page.getByRole('dialog', { name: 'Message' });
    await sheet.getByText('hold me').waitFor();
    // From below, over the whole width, once it has come in.
    const edges = async (): Promise<number[]> => {
      const { x: left, y: top, width, height } = (await sheet.boundingBox())!;
      return [left, width, top + height].map(Math.round);
    };
    const { width, height } = TELEPHONE.viewport;
    await eventually(edges).toEqual([0, width, height]);
    await visitor.expectAccessible();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  test('The sheet of a message has reactions, and goes when one is chosen', async () => {
    const { visitor, page } = await openMessage('react', 'like me', TELEPHONE);
    // The names of emoji come a moment after the page.
    const { x, y } = await placeOf(visitor, 'like me');
    const finger = await Finger.of(visitor);
    const reaction = page.getByRole('toolbar', { name: 'Reactions' }).getByRole('button', { name: '+1' });
    const showsReaction = async (): Promise<boolean> => {
      await finger.hold(x, y);
      return reaction.isVisible();
    };
    await eventually(showsReaction, { interval: 500 }).toBe(true);
    await reaction.click();
    await page.locator('.message', { hasText: 'like me' }).getByText('👍').waitFor();
    await page.getByRole('dialog', { name: 'Message' }).waitFor({ state: 'detached' });
  });

  test('Holding a row of the navigation opens its menu, and lifting the finger follows no link', async () => {
    const { visitor, page } = await open('#inbox', TELEPHONE);
    await page.goBack();
    const row = page.getByRole('navigation', { name: 'Navigation' }).locator('.row-box a').first();
    const { x, y } = (await row.boundingBox())!;
    const before = page.url();
    const finger = await Finger.of(visitor);
    await finger.hold(x + 60, y + 10);
    await page.getByRole('menuitem', { name: 'Mark as read' }).waitFor();
    expect(page.url()).toBe(before);
  });

  test('A swipe to the right leads from a conversation back to the navigation', async () => {
    const { visitor, page } = await openMessage('swipe', 'swipe me', TELEPHONE);
    const navigation = page.getByRole('navigation', { name: 'Navigation' });
    expect(await navigation.isVisible()).toBe(false);
    const finger = await Finger.of(visitor);
    const { x, y } = await placeOf(visitor, 'swipe me');
    await swipeUntil(
      () => navigation.isVisible(),
      () => finger.swipe(x, y, 200, 10),
    );
    expect(new URL(page.url()).hash).toBe('');
  });

  test('A swipe in a block of code scrolls the code sideways, and stays in the conversation', async () => {
    await bo.send(channel.name, 'code', `\`\`\`\n${'wide '.repeat(60)}\n\`\`\``);
    const { visitor, page } = await open(hashOf('code'), TELEPHONE);
    await visitor.reads('wide wide');
    const code = page.locator('.rendered pre');
    const scrolled = () => code.evaluate(({ scrollLeft }) => scrollLeft);
    const finger = await Finger.of(visitor);
    const swipe = async (from: number, across: number): Promise<void> => {
      const { x, y, height } = (await code.boundingBox())!;
      await finger.swipe(x + from, y + height / 2, across, 0);
    };
    await swipeUntil(
      async () => (await scrolled()) > 100,
      () => swipe(250, -200),
    );
    await swipeUntil(
      async () => (await scrolled()) < 50,
      () => swipe(50, 200),
    );
    expect(page.url()).toContain(hashOf('code'));
  });

  test('A diagonal scroll stays in the conversation', async () => {
    const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n\n');
    await bo.send(channel.name, 'aslant', lines);
    const { visitor, page } = await open(hashOf('aslant'), TELEPHONE);
    await visitor.reads('line 0');
    const scrolled = () => page.locator('.feed').evaluate(({ scrollTop }) => scrollTop);
    const before = await scrolled();
    const finger = await Finger.of(visitor);
    await swipeUntil(
      async () => (await scrolled()) > before,
      () => finger.swipe(150, 500, 100, -250),
    );
    expect(page.url()).toContain(hashOf('aslant'));
  });
});
