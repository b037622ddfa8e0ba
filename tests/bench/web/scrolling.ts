import type { Page } from 'playwright-core';
import type { Row } from '../report.ts';
import { byteRow, type Measured, megabytes } from './measured.ts';
import { scrollPast } from './probe.ts';

const SCROLLED = 5_000;
const HEAP_BYTES = 300_000_000;

/** The heap while a reader walks back through the combined feed. */
export async function measureScrolling({ service, open }: Measured): Promise<Row[]> {
  const page = await open();
  await page.goto(`${service.url}/#feed`);
  await page.waitForFunction(() => window.noted.shownAtMs !== undefined);
  await page.waitForTimeout(1_000);
  const heap = await watchHeap(page);
  const { seen, mostRows } = await page.evaluate(scrollPast, SCROLLED);
  const { mostBytes, leftBytes } = await heap.stop();
  await page.context().close();
  return [
    byteRow(
      `heap while ${seen} messages are scrolled (${megabytes(leftBytes)} are left)`,
      mostBytes,
      HEAP_BYTES,
    ),
    { what: 'rows in the page at once, at most', measured: String(mostRows), budget: '' },
  ];
}

async function watchHeap(page: Page) {
  const session = await page.context().newCDPSession(page);
  let mostBytes = 0;
  const look = async (): Promise<number> => {
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    mostBytes = Math.max(mostBytes, usedSize);
    return usedSize;
  };
  const timer = setInterval(() => void look().catch(() => undefined), 250);
  return {
    async stop() {
      clearInterval(timer);
      await session.send('HeapProfiler.collectGarbage');
      return { leftBytes: await look(), mostBytes };
    },
  };
}
