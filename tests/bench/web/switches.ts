import type { Row } from '../report.ts';
import { type Measured, median, ms } from './measured.ts';
import { timeSwitch } from './probe.ts';

const SWITCHES = 12;
const SWITCH_MS = 100;

/** Between two topics that were both open before. */
export async function measureSwitches({ service, organization, open }: Measured): Promise<Row> {
  const channelId = organization.channelIds[0] as number;
  const hashes = [0, 1].map((n) => `#narrow/channel/${channelId}/topic/topic.20${n}`);
  const page = await open();
  const times: number[] = [];
  for (const hash of hashes) {
    await page.goto(`${service.url}/${hash}`);
    await page.waitForFunction(() => window.noted.shownAtMs !== undefined);
    await page.locator('.message').first().waitFor();
    await page.waitForTimeout(1_500);
  }
  for (let n = 0; n < SWITCHES; n++) {
    times.push(await page.evaluate(timeSwitch, hashes[n % 2] as string));
    await page.waitForTimeout(400);
  }
  await page.context().close();
  const typical = median(times);
  return {
    what: `switch to a topic that was open before, median of ${SWITCHES} (slowest ${ms(Math.max(...times))})`,
    measured: ms(typical),
    budget: `≤ ${SWITCH_MS} ms`,
    isMet: typical <= SWITCH_MS,
  };
}
