import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { awaitsAll } from './lint.ts';
import type { RandomMutant } from './points.ts';
import { hasRightTypes } from './types.ts';

/** How the types, the lint or the tests judged a mutant. */
export type Outcome = { kind: 'caught'; by: string } | { kind: 'survived' | 'undecided' | 'refused' };

const VITEST = 'node_modules/vitest/vitest.mjs';

/** Breaks one source of a copy of the project, runs the tests that import it until one fails, and repairs the source. */
export async function tryMutant(
  mutant: RandomMutant,
  folder: string,
  limitSeconds: number,
): Promise<Outcome> {
  const path = join(folder, mutant.file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end));
  try {
    if (await isRefused(mutant, folder)) return { kind: 'refused' };
    return await runTests(mutant.file, folder, limitSeconds);
  } finally {
    await writeFile(path, source);
  }
}

/** The only rule of the lint that matters is the one that a dropped `await` breaks. */
const isRefused = async ({ file, operator }: RandomMutant, folder: string): Promise<boolean> =>
  !(await hasRightTypes(folder, file)) || (operator === 'dropped await' && !(await awaitsAll(folder, file)));

async function runTests(file: string, folder: string, limitSeconds: number): Promise<Outcome> {
  const report = join(folder, 'dist/test-report.json');
  await rm(report, { force: true });
  const args = ['related', file, '--run', '--project', 'fast', '--bail', '1', '--reporter', 'json'];
  const child = spawn(process.execPath, [VITEST, ...args], { cwd: folder, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => killGroup(child.pid), limitSeconds * 1_000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  if (code === 0) return { kind: 'survived' };
  const { testResults } = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => EMPTY,
  );
  const failed = testResults.find(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'failed'),
  );
  return failed ? { kind: 'caught', by: failed.name.slice(folder.length + 1) } : { kind: 'undecided' };
}

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[];
}
const EMPTY: Report = { testResults: [] };

/** Ends the tests and the processes that they started. */
function killGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
