import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RandomMutant } from './points.ts';

/** What the tests said of a mutant. */
export type Outcome = { kind: 'caught'; by: string } | { kind: 'survived' | 'undecided' };

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
export async function tryMutant(mutant: RandomMutant, options: TrialOptions): Promise<Outcome> {
  const { folder, tests, limitSeconds } = options;
  const path = join(folder, mutant.file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
  const untilMs = Date.now() + limitSeconds * 1000;
  try {
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
  } finally {
    await writeFile(path, source);
  }
}

/** The first test file that fails; empty when all pass, undefined when time is over before either is known. */
export async function findFailure(
  folder: string,
  tests: string[],
  timeoutMs: number,
): Promise<string | undefined> {
  // Where the configuration of vitest has it written.
  const report = join(folder, 'dist/test-report.json');
  const args = [VITEST, 'run', '--bail=1', '--reporter=json', ...tests];
  await rm(report, { force: true });
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => endAll(child.pid), Math.max(1, timeoutMs));
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.once('close', (...end) => done(end)),
  );
  clearTimeout(timer);
  if (code === 0) return '';
  if (signal !== null) return undefined;
  const { testResults }: Report = await readFile(report, 'utf8').then(JSON.parse, () => ({
    testResults: [],
  }));
  const failed = testResults.filter(({ status }) => status === 'failed');
  // A file that was stopped because of another one has failed as well, but none of its tests.
  const hasFailed = failed.find(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'failed'),
  );
  return (hasFailed ?? failed[0])?.name.slice(folder.length + 1) ?? START;
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

/** The tests, and the engines that they started. */
function endAll(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
