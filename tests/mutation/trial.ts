import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { awaitsAll } from './lint.ts';
import type { RandomMutant } from './points.ts';
import { hasRightTypes } from './types.ts';

/** What the tests said of a mutant, or the types and the lint, which refuse many before any test runs. */
export type Outcome = { kind: 'caught'; by: string } | { kind: 'survived' | 'undecided' | 'refused' };

const VITEST = 'node_modules/vitest/vitest.mjs';
/** The most promising are asked alone at first: most mutants need no more. */
const FIRST = 4;

/** What fails where no test comes to its end. */
const START = 'the start of the tests';

export interface TrialOptions {
  folder: string;
  tests: string[];
  limitSeconds: number;
}

/** Breaks one source of the copy, runs the tests until one fails, and mends the source. */
export function tryMutant(
  mutant: RandomMutant,
  { folder, tests, limitSeconds }: TrialOptions,
): Promise<Outcome> {
  return whileBroken(mutant, folder, async () => {
    const untilMs = Date.now() + limitSeconds * 1000;
    for (const some of [tests.slice(0, FIRST), tests.slice(FIRST)]) {
      if (some.length === 0) continue;
      const by = await findFailure(folder, some, untilMs - Date.now());
      if (by === undefined) return { kind: 'undecided' };
      if (by === '') continue;
      // A test that fails now and then has noticed nothing.
      const again = await findFailure(folder, by === START ? some : [by], limitSeconds * 1000);
      return again === by ? { kind: 'caught', by } : { kind: 'undecided' };
    }
    return { kind: 'survived' };
  });
}

/** Whether the types or the lint refuse a mutant. Of the lint only one rule is asked, where a mutant may break it. */
export function isRefused(mutant: RandomMutant, folder: string): Promise<boolean> {
  const { file, operator } = mutant;
  return whileBroken(
    mutant,
    folder,
    async () =>
      !(await hasRightTypes(folder, file)) ||
      (operator === 'dropped await' && !(await awaitsAll(folder, file))),
  );
}

async function whileBroken<T>(mutant: RandomMutant, folder: string, run: () => Promise<T>): Promise<T> {
  const path = join(folder, mutant.file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
  try {
    return await run();
  } finally {
    await writeFile(path, source);
  }
}

/** The first test file that fails; empty when all pass, undefined when time is over before either is known. */
async function findFailure(folder: string, tests: string[], timeoutMs: number): Promise<string | undefined> {
  const { status, testResults } = await runTests(folder, ['--bail=1', ...tests], timeoutMs);
  if (status !== 'failed') return status === 'passed' ? '' : undefined;
  const failed = testResults.filter((file) => file.status === 'failed');
  // A file that was stopped because of another one has failed as well, but none of its tests.
  const hasFailed = failed.find(({ assertionResults }) =>
    assertionResults.some((one) => one.status === 'failed'),
  );
  return (hasFailed ?? failed[0])?.name ?? START;
}

/** Those test files that fail; all of them when time is over, or when they do not start. */
export async function listFailing(folder: string, tests: string[], timeoutMs: number): Promise<string[]> {
  if (tests.length === 0) return [];
  const { status, testResults } = await runTests(folder, tests, timeoutMs);
  if (status === 'passed') return [];
  const failing = testResults.filter((file) => file.status === 'failed').map(({ name }) => name);
  return status === 'failed' && failing.length > 0 ? failing : tests;
}

async function runTests(
  folder: string,
  args: string[],
  timeoutMs: number,
): Promise<Report & { status: 'passed' | 'failed' | 'out of time' }> {
  // Where the configuration of vitest has it written.
  const report = join(folder, 'dist/test-report.json');
  await rm(report, { force: true });
  const child = spawn(process.execPath, [VITEST, 'run', '--reporter=json', ...args], {
    ...{ cwd: folder, stdio: 'ignore', detached: true },
  });
  const timer = setTimeout(() => endAll(child.pid), Math.max(1, timeoutMs));
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.once('close', (...end) => done(end)),
  );
  clearTimeout(timer);
  if (signal !== null) return { status: 'out of time', testResults: [] };
  const { testResults }: Report = await readFile(report, 'utf8').then(JSON.parse, () => ({
    testResults: [],
  }));
  return {
    status: code === 0 ? 'passed' : 'failed',
    testResults: testResults.map((file) => ({ ...file, name: file.name.slice(folder.length + 1) })),
  };
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/** The tests, and the engines that they started. */
function endAll(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
