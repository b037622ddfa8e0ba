import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Mutant } from './mutant.ts';
import type { Trial, TrialResult } from './mutant-run.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const SOURCES = [
  ...['functions', 'infra', 'shared', 'tests', 'web', 'docs'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'],
  ...['biome.json', 'cdk.json', 'knip.json', 'README.md', 'LICENSE'],
];
/** A mutant may be so broken that it goes in circles; that proves nothing. */
const TIMEOUT_MS = 3_600_000;

/** A copy of the sources that can be broken without harm. */
export interface Copy {
  folder: string;
  remove(): Promise<void>;
}

export async function copySources(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  for (const name of SOURCES) await cp(join(PROJECT, name), join(folder, name), { recursive: true });
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Runs seeds of the simulation on a copy of the sources, with a mutant in it or without. */
export async function tryMutant(
  { folder }: Copy,
  mutant: Mutant | undefined,
  trial: Trial,
): Promise<TrialResult> {
  if (!mutant) return runTrial(folder, trial);
  const path = join(folder, mutant.file);
  const source = await readFile(path, 'utf8');
  await writeFile(path, mutate(source, mutant));
  try {
    return await runTrial(folder, trial);
  } finally {
    await writeFile(path, source);
  }
}

/** @throws Error unless the text to be replaced occurs there exactly once */
export function mutate(source: string, { name, file, find, replace }: Mutant): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places for the mutant "${name}"`);
  return parts.join(replace);
}

/** @throws Error when there is no result: neither a broken promise nor a kept one */
async function runTrial(folder: string, trial: Trial): Promise<TrialResult> {
  const args = ['tests/simulation/mutants/mutant-run.ts', JSON.stringify(trial)];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  const ended = new Promise<string>((done) =>
    child.once('close', (code, signal) => done(`${code ?? signal}`)),
  );
  const [output, errors, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (end === '0') return JSON.parse(output);
  throw new Error(`The trial ended with ${end}: ${errors}`);
}
