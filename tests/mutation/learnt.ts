import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutTimes } from '#tests/harness/run/compares-times.ts';
import { PROJECT } from './points.ts';

const LEARNT = join(PROJECT, 'dist/functions-run.json');

/** Which test files run a function of a source, by the path of the source and the name of the function. */
export type Learnt = Record<string, Record<string, string[]>>;

/** A place in a source, by the names of the functions around it, the innermost first. */
interface Within {
  file: string;
  within: readonly string[];
}

/** Runs all tests, and keeps for later which of them run which functions. Returns whether all of them passed. */
export function learn(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'functions-run-'));
  try {
    const env = { ...process.env, FUNCTIONS_RUN: folder };
    const { status } = spawnSync(
      'vitest',
      ['run', '--reporter=minimal', '--reporter=json', ...withoutTimes],
      {
        ...{ cwd: PROJECT, stdio: 'inherit', env },
      },
    );
    const notes = globSync(join(folder, '*.json')).map((path) => JSON.parse(readFileSync(path, 'utf8')));
    writeFileSync(LEARNT, JSON.stringify(gather(notes)));
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a file of tests ran: the names of functions, by the source in which they stand. */
interface Note {
  test: string;
  functions: Record<string, string[]>;
}

export function gather(notes: Note[]): Learnt {
  const all = notes.flatMap(({ test, functions }) =>
    Object.entries(functions).flatMap(([file, names]) => names.map((name) => ({ file, name, test }))),
  );
  return Object.fromEntries(
    [...Map.groupBy(all, ({ file }) => file)].map(([file, ofFile]) => [
      file,
      Object.fromEntries(
        [...Map.groupBy(ofFile, ({ name }) => name)].map(([name, own]) => [
          name,
          own.map(({ test }) => test),
        ]),
      ),
    ]),
  );
}

/** The test files that run the innermost function around a place of which any is known; none where nothing was learnt. */
export function runnersOf({ file, within }: Within, learnt: Learnt): Set<string> {
  const own = learnt[file];
  if (!own) return new Set();
  const name = within.find((one) => Object.hasOwn(own, one));
  return new Set(name === undefined ? [] : own[name]);
}

export const readLearnt = (): Learnt => (existsSync(LEARNT) ? JSON.parse(readFileSync(LEARNT, 'utf8')) : {});
