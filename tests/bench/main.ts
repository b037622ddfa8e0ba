import { spawnSync } from 'node:child_process';
import { buildFunctions } from '#infra/build.ts';
import { measureCapacity } from './capacity.ts';
import { measureLatency, measureThroughput } from './latency.ts';
import { printTable, type Row } from './report.ts';
import { startBenchService } from './service.ts';

/** `npm run bench`: what everything costs, beside what it may cost, and how long it takes on this machine. */
const service = await startBenchService();
const capacity = await measureCapacity(service, 20_000);
printTable('Capacity units (the same on every machine; tests assert them)', capacity);

printTable('Time on this machine', [
  ...(await measureLatency(service)),
  ...(await measureThroughput(service, 1)),
  ...(await measureThroughput(service, 8)),
]);
await service.stop();

printTable('Build', await measureBuild());

const missed = capacity.filter(({ isMet }) => isMet === false);
if (missed.length > 0) {
  console.log(`\n${missed.length} capacity budgets are missed.`);
  process.exitCode = 1;
}

async function measureBuild(): Promise<Row[]> {
  const buildStart = performance.now();
  const { bytesByFunction } = await buildFunctions();
  const buildSeconds = (performance.now() - buildStart) / 1000;
  const synthStart = performance.now();
  const { status } = spawnSync('cdk', ['synth', '--quiet'], { stdio: 'inherit' });
  const synthSeconds = (performance.now() - synthStart) / 1000;
  const [largest = ['', 0]] = Object.entries(bytesByFunction).sort((a, b) => b[1] - a[1]);
  const budgetBytes = 400 * 1024;
  return [
    {
      what: `largest bundle of ${Object.keys(bytesByFunction).length} (${largest[0]})`,
      measured: `${Math.round(largest[1] / 1024)} KB`,
      budget: '≤ 400 KB',
      isMet: largest[1] <= budgetBytes,
    },
    { what: 'build of all functions', measured: `${buildSeconds.toFixed(1)} s`, budget: 'seconds' },
    {
      what: 'cdk synth',
      measured: `${synthSeconds.toFixed(1)} s`,
      budget: 'seconds, offline',
      isMet: status === 0,
    },
  ];
}
