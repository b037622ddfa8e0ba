import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Report, RunOptions } from './run.ts';
import { simulate } from './simulate.ts';
import { variantOf } from './variants.ts';

const PROGRESS_MS = 15_000;

/** The report of one worker about one run. */
type Finding = Pick<Report, 'seed' | 'steps' | 'processes' | 'violations'>;

/** Runs fresh seeds in several processes, each with the given arguments, until the time is over; returns how many broke a promise. */
export async function explore(minutes: number, workers: number, args: readonly string[]): Promise<number> {
  const untilMs = Date.now() + minutes * 60_000;
  const total = { seeds: 0, steps: 0, processes: 0, broken: 0 };
  const printTotals = (): void =>
    console.log(
      `${total.seeds} seeds, ${total.steps} steps of ${total.processes} processes, ${total.broken} seeds with violations`,
    );
  const children = Array.from({ length: workers }, () =>
    fork(fileURLToPath(import.meta.resolve('./main.ts')), [...args, '--until', String(untilMs)]),
  );
  for (const child of children)
    child.on('message', (message) => {
      const finding = message as Finding;
      total.seeds += 1;
      total.steps += finding.steps;
      total.processes += finding.processes;
      if (finding.violations.length === 0) return;
      total.broken += 1;
      printViolations(finding, args);
    });
  const progress = setInterval(printTotals, PROGRESS_MS);
  const codes = await Promise.all(
    children.map(async (child) => (await once(child, 'exit'))[0] as number | null),
  );
  clearInterval(progress);
  printTotals();
  return total.broken + codes.filter((code) => code !== 0).length;
}

/** One of the exploring processes; its options apply to every seed, and the seed decides the rest. */
export async function work(untilMs: number, asked: Partial<RunOptions>): Promise<void> {
  process.once('disconnect', () => process.exit(1));
  while (Date.now() < untilMs) {
    const variant = variantOf(Math.floor(Math.random() * 2 ** 31));
    const report = await simulate({ ...variant, ...asked });
    const { seed, steps, processes, violations } = report;
    process.send?.({ seed, steps, processes, violations } satisfies Finding);
  }
  process.removeAllListeners('disconnect');
  process.disconnect();
}

/** Prints the violation, and how to reproduce it. */
export function printViolations({ seed, violations }: Finding, args: readonly string[]): void {
  if (violations.length === 0) return;
  console.log(`Seed ${seed} broke ${violations.length} promises:`);
  for (const violation of violations) console.log(`  ${violation}`);
  console.log(`Again: npm run simulate -- ${['--seed', seed, ...args, '--trace'].join(' ')}`);
}
