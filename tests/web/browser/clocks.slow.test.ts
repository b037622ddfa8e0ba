import { describe, expect, test } from 'vitest';
import { eventually, type Visitor } from './browser.ts';
import { openPair } from './pair.ts';

const { browser, stage, ada, bo, channel, hashOf, open } = await openPair();
await ada.patch('/settings', { twenty_four_hour_time: true });

const HOUR_MS = 3_600_000;
const nowMs = (): number => stage.service.services.clock.nowMs();

/** Moves the device to a zone that is so many hours ahead of UTC. */
async function zoneOf({ context, page }: Visitor): Promise<(hours: number) => Promise<void>> {
  const devTools = await context.newCDPSession(page);
  return async (hours) => {
    const timezoneId = `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`;
    await devTools.send('Emulation.setTimezoneOverride', { timezoneId });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  };
}

/** Hours ahead of UTC of a zone in which it is this hour when it is another one in UTC. */
const hoursAhead = (localHour: number, utcHour: number): number => ((localHour - utcHour + 36) % 24) - 12;

describe.runIf(browser)('A page that stays open', () => {
  test('Follows a changed time zone with its days, its times and the choices to send later', async () => {
    const firstMs = nowMs();
    const utcHour = new Date(firstMs).getUTCHours();
    await bo.send(channel.name, 'zones', `<time:${new Date(firstMs).toISOString()}>`);
    stage.service.advance(6 * HOUR_MS);
    await bo.send(channel.name, 'zones', 'six hours later');
    const { visitor, page } = await open('#inbox');
    const moveTo = await zoneOf(visitor);
    const texts = (selector: string) => () => page.locator(selector).allInnerTexts();
    // Ten o'clock and sixteen o'clock are on one day, twenty o'clock and two o'clock are not.
    await moveTo(hoursAhead(10, utcHour));
    await visitor.goTo(stage.service, hashOf('zones'));
    await visitor.reads('six hours later');
    await eventually(texts('.message .sent')).toEqual(
      [/^10:/, /^16:/].map((hour) => expect.stringMatching(hour)),
    );
    expect(await page.locator('.day:not(.new-line)').count()).toBe(1);
    await visitor.composer.fill('later');
    await page.getByRole('button', { name: 'Schedule message' }).click();
    const choices = texts('.time-suggestions .menu-item');
    await page.locator('.time-suggestions .menu-item').first().waitFor();
    const before = await choices();
    await moveTo(hoursAhead(20, utcHour));
    await eventually(texts('.message .sent')).toEqual(
      [/^20:/, /^02:/].map((hour) => expect.stringMatching(hour)),
    );
    await eventually(() => page.locator('.day:not(.new-line)').count()).toBe(2);
    await eventually(() => page.locator('.rendered time').innerText()).toMatch(/20:\d\d/);
    expect(before.some((text) => text.startsWith('Tomorrow morning'))).toBe(true);
    await eventually(choices).not.toEqual(before);
    for (const morning of (await choices()).filter((text) => /morning/i.test(text)))
      expect(morning).toMatch(/0?9:00/);
    await page.keyboard.press('Escape');
  });
});
