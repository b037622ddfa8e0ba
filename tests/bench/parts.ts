import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { measureCapacity } from './capacity.ts';
import { listFilesOfSend } from './files.ts';
import { COSTS_PAGE, describeCosts } from './hour/costs-page.ts';
import { keepMeasured, measureCosts, readMeasured } from './hour/measure-costs.ts';
import { measureLocal } from './local/local.ts';
import type { PartName } from './main.ts';
import { describePoller, measurePoller } from './poller.ts';
import { measureRendering } from './render.ts';
import { printTable, type Row } from './report.ts';
import { describeScale } from './scale/scale-page.ts';
import { schedules, tradeRow, weighSchedule } from './schedules.ts';
import { aFew, measureSearch } from './search.ts';
import { startBenchService } from './service.ts';
import { measureStarts } from './starts.ts';
import { measureWeb } from './web/web.ts';

/** The parts of `npm run bench`, by name. */
export const show: Record<PartName, () => void | Promise<void>> = {
  capacity: showCapacity,
  local: showLocal,
  costs: showCosts,
  render: showRendering,
  schedules: showSchedules,
  search: showSearch,
  worst: showWorst,
  cold: showCold,
  web: showWeb,
  poller: showPoller,
  scale: showScale,
  files: showFiles,
};

/** Ends with status 1 if a budget is missed. */
function showBudgets(title: string, rows: Row[]): void {
  printTable(title, rows);
  if (rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
}

async function showCapacity(): Promise<void> {
  const service = await startBenchService();
  const capacity = await measureCapacity(service, 20_000);
  await service.stop();
  showBudgets('Capacity units (the same on every machine; tests assert them)', capacity);
  const searching = await startBenchService({ config: aFew.config });
  const search = await measureSearch(searching, aFew.messages);
  await searching.stop();
  showBudgets(`Searching among ${aFew.messages} messages`, search);
}

/** Takes some minutes, and an idle machine. */
async function showLocal(): Promise<void> {
  const rows = await measureLocal(Number(process.env.BENCH_MINUTES ?? 10));
  showBudgets('The local service, beside an HTTP server that does nothing', rows);
}

/** Takes some minutes. */
async function showCosts(): Promise<void> {
  const measured = await measureCosts();
  keepMeasured(measured);
  writeFileSync(COSTS_PAGE, describeCosts(measured));
  console.log(`\n${describeCosts(measured)}`);
}

async function showRendering(): Promise<void> {
  const rows = measureRendering();
  showBudgets('Rendering messages that are made to be slow (CPU, as multiples of an ordinary one)', rows);
}

async function showSchedules(): Promise<void> {
  const minutes = { lively: 2, ordinary: 10, idle: 5 };
  const rows: Row[] = [];
  for (const [name, schedule] of schedules) rows.push(tradeRow(await weighSchedule(name, schedule, minutes)));
  printTable('Look schedules: p50/p99 of waiting for a look, and the reads of a connected client-hour', rows);
}

/** Takes some minutes. The test runner checks the calls like the calls of tests. */
function showWorst(): void {
  const { status } = spawnSync('vitest', ['run', '--mode', 'worst', 'tests/bench/worst/worst.test.ts'], {
    stdio: 'inherit',
  });
  if (status === 0) console.log(`\n${readFileSync('docs/worst-calls.md', 'utf8')}`);
  else process.exitCode = 1;
}

/** Takes some minutes. */
async function showSearch(): Promise<void> {
  const messages = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
  const service = await startBenchService();
  const rows = await measureSearch(service, messages);
  await service.stop();
  printTable(`Searching among ${messages} messages`, rows);
}

async function showFiles(): Promise<void> {
  const service = await startBenchService();
  const files = await listFilesOfSend(service);
  await service.stop();
  console.log(`\n${files.join('\n')}\n\nA plain message runs ${files.length} files of the product.`);
}

/** Takes some minutes. */
async function showCold(): Promise<void> {
  const starts = await measureStarts(Number(process.env.BENCH_STARTS ?? 12));
  showBudgets('CPU time of starting each function, beside an empty handler with the same SDK', starts);
  console.log(`\nThe worst: ${starts[0]?.what}, ${starts[0]?.measured}`);
}

/** Takes some minutes. */
async function showWeb(): Promise<void> {
  const rows = await measureWeb();
  showBudgets('The web client in a real browser, in an organization of 1 000 people', rows);
}

async function showPoller(): Promise<void> {
  const rows = describePoller(await measurePoller());
  showBudgets('The poller of a web function, under as many polls as one process gets', rows);
}

function showScale(): void {
  console.log(describeScale(readMeasured()));
}
