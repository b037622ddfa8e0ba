import type { Browser, Page } from 'playwright-core';
import type { Row } from '../report.ts';
import { EVENTS_PER_SECOND, makeEvents } from './events.ts';
import { type Measured, ms, slowdown } from './measured.ts';

const SECONDS_OF_EVENTS = 15;
const LONG_TASK_MS = 50;
const TOPIC = 'topic 0';

/** The work of the page's main thread while events came. */
interface Busy {
  events: number;
  /** The longest task by the processor's time, and by the clock, on which other programs of the machine take part. */
  longestCpuMs: number;
  longestMs: number;
  /** Time of the processor in a second. */
  cpuMsPerSecond: number;
}

/** The longest task of the page in several views, while people write. */
export async function measureEvents(measured: Measured): Promise<Row[]> {
  const channelId = measured.organization.channelIds[0] as number;
  const views = {
    'the combined feed': '#feed',
    'a topic of the busiest channel': `#narrow/channel/${channelId}/topic/topic.200`,
    'the inbox': '#inbox',
    'recent conversations': '#recent',
  };
  const rows: Row[] = [];
  for (const [name, hash] of Object.entries(views)) {
    const { events, longestCpuMs, longestMs, cpuMsPerSecond } = await lookOn(measured, hash);
    const perSecond = (events / SECONDS_OF_EVENTS).toFixed(0);
    rows.push({
      what: `longest task in ${name}, ${perSecond} events a second (${cpuMsPerSecond.toFixed(0)} ms of each second in all)`,
      measured: `${ms(longestCpuMs)} of the processor, ${ms(longestMs)} by the clock at ${slowdown().toFixed(1)} ×`,
      budget: `≤ ${LONG_TASK_MS} ms at ${EVENTS_PER_SECOND}/s`,
      isMet: longestCpuMs <= LONG_TASK_MS,
    });
  }
  return rows;
}

async function lookOn({ service, organization, open }: Measured, hash: string): Promise<Busy> {
  const page = await open();
  let events = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      events += JSON.parse(String(payload)).events?.length ?? 0;
    }),
  );
  await page.goto(`${service.url}/${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(3_000);
  events = 0;
  const tasks = await traceTasks(page, () => makeEvents(organization, SECONDS_OF_EVENTS, TOPIC));
  await page.context().close();
  const cpuMs = tasks.map((task) => task.cpuMs);
  return {
    events,
    longestCpuMs: Math.max(...cpuMs),
    longestMs: Math.max(...tasks.map((task) => task.durationMs)),
    cpuMsPerSecond: cpuMs.reduce((sum, one) => sum + one, 0) / SECONDS_OF_EVENTS,
  };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds: by the clock, and of the processor. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The tasks of the main thread of the page while something is done. */
async function traceTasks(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ durationMs: number; cpuMs: number }[]> {
  const browser = page.context().browser() as Browser;
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
  });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ durationMs: dur / 1_000, cpuMs: tdur / 1_000 }));
}
