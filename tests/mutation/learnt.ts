import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutTimes } from '#tests/harness/run/compares-times.ts';
import { PROJECT } from './points.ts';

const LEARNT = join(PROJECT, 'dist/functions-run.json');

/** Which test files run a function of a source. */
export interface Learnt {
  /** The test files. Below, each is known by its place in this list. */
  tests: string[];
  /** By the path of the source and the name of the function. */
  runners: Record<string, Record<string, number[]>>;
}

/** What is known before any run. */
export const NOTHING_LEARNT: Learnt = { tests: [], runners: {} };

/** A place in a source, by the names of the functions around it, the innermost first. */
interface Within {
  file: string;
  within: readonly string[];
}

/** Runs all tests, and keeps for later which of them run which functions. Returns whether all of them passed. */
export function learn(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'functions-run-'));
  try {
    const { status } = spawnSync(
      'vitest',
      ['run', '--reporter=minimal', '--reporter=json', ...withoutTimes],
      { cwd: PROJECT, stdio: 'inherit', env: { ...process.env, FUNCTIONS_RUN: folder } },
    );
    const notes = globSync(join(folder, '*.json')).map((path) => JSON.parse(readFileSync(path, 'utf8')));
    if (notes.length === 0) throw new Error('No test noted what it runs.');
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
  const runners: Record<string, Map<string, number[]>> = {};
  for (const [test, { functions }] of notes.entries())
    for (const [file, names] of Object.entries(functions)) {
      runners[file] ??= new Map();
      const ofFile = runners[file];
      for (const name of names) {
        const tests = ofFile.get(name);
        if (tests) tests.push(test);
        else ofFile.set(name, [test]);
      }
    }
  return {
    tests: notes.map(({ test }) => test),
    runners: Object.fromEntries(
      Object.entries(runners).map(([file, ofFile]) => [file, Object.fromEntries(ofFile)]),
    ),
  };
}

/** The test files that run the innermost function around a place of which any is known; none where nothing was learnt. */
export function runnersOf({ file, within }: Within, { tests, runners }: Learnt): Set<string> {
  const own = runners[file];
  if (!own) return new Set();
  const name = within.find((one) => Object.hasOwn(own, one));
  const indexes = name === undefined ? [] : (own[name] ?? []);
  return new Set(indexes.flatMap((index) => tests[index] ?? []));
}

export const readLearnt = (): Learnt =>
  existsSync(LEARNT) ? JSON.parse(readFileSync(LEARNT, 'utf8')) : NOTHING_LEARNT;
