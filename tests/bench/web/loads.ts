import { loadavg } from 'node:os';
import type { Row } from '../report.ts';
import type { BenchClient } from '../service.ts';
import { type Measured, median, ms, shiftRow, slowdown } from './measured.ts';

const LOADS = 7;
/** The service answers faster than a browser draws, so the browser's own first picture is the measure. */
const MOST_FIRST_PAINTS = 5;

/** A call as the page made it. */
interface Call {
  method: string;
  path: string;
  params: Record<string, string>;
}

/** Until the first message is seen, beside the first paint, and the same calls of register and messages by plain HTTP. */
export async function measureLoads({ service, organization: { viewer }, open }: Measured): Promise<Row[]> {
  const inBrowser: number[] = [];
  const paints: number[] = [];
  const registers: number[] = [];
  const pages: number[] = [];
  let requests: string[] = [];
  let layoutShift = 0;
  const slow: number[] = [];
  for (let n = 0; n < LOADS; n++) {
    const page = await open();
    const calls: Call[] = [];
    requests = [];
    page.on('request', (request) => {
      requests.push(request.url());
      const call = callOf(request.url(), request.method(), request.postData());
      if (call) calls.push(call);
    });
    await page.goto(`${service.url}/#feed`);
    await page.waitForFunction(() => window.noted.shownAtMs !== undefined);
    inBrowser.push(await page.evaluate(() => window.noted.shownAtMs ?? Number.NaN));
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN),
    );
    await page.waitForTimeout(1_000);
    layoutShift = Math.max(layoutShift, await page.evaluate(() => window.noted.layoutShift));
    if (process.env.BENCH_SHOWN) console.log(await page.evaluate(() => window.noted.moved));
    slow.push(slowdown());
    await page.context().close();
    const [register, messages] = ['/register', '/messages'].map((path) =>
      calls.find((one) => one.path === path),
    );
    if (!register || !messages) throw new Error(`The page made other calls: ${requests}`);
    registers.push(await timeCall(viewer, register));
    pages.push(await timeCall(viewer, messages));
  }
  const [shownMs, registerMs, pageMs] = [inBrowser, registers, pages].map(median) as [number, number, number];
  const ratio = shownMs / median(paints);
  return [
    {
      what: `what other programs make of the same work, at a load of ${loadavg()[0]?.toFixed(1)}`,
      measured: `${median(slow).toFixed(1)} × as long`,
      budget: '',
    },
    { what: 'register by plain HTTP', measured: ms(registerMs), budget: '' },
    { what: 'one page of messages by plain HTTP', measured: ms(pageMs), budget: '' },
    {
      what: `until the feed is seen, as a multiple of the first paint (${ms(shownMs)}, ${requests.length} requests in all)`,
      measured: ratio.toFixed(2),
      budget: `≤ ${MOST_FIRST_PAINTS}`,
      isMet: ratio <= MOST_FIRST_PAINTS,
    },
    shiftRow('layout shift while it loads', layoutShift),
  ];
}

function callOf(url: string, method: string, body: string | null): Call | undefined {
  const { pathname, searchParams } = new URL(url);
  if (!pathname.startsWith('/api/v1/')) return undefined;
  const params = Object.fromEntries(method === 'GET' ? searchParams : new URLSearchParams(body ?? ''));
  return { method, path: pathname.slice('/api/v1'.length), params };
}

async function timeCall(client: BenchClient, { method, path, params }: Call): Promise<number> {
  const start = performance.now();
  await client.call(method, path, params);
  return performance.now() - start;
}
