import type { Change } from './changes.ts';
import { unimported } from './unimported.ts';

/** What is known about test files. */
export interface Knowledge {
  /** Those that reach a source, the most promising first. */
  testsOf(place: { file: string; was: string; gone: string }): string[];
  /** About how long a test file takes. */
  secondsOf(test: string): number;
}

export interface Selection {
  run: string[];
  /** What a change touches as well, and there is no time for. */
  left: string[];
}

const IS_TEST = /\.test\.ts$/;

/**
 * Of the tests that changes touch, those that a time is enough for. Changed tests run in any case; then come those that
 * look at what nothing imports, and then those that reach each changed source, the most promising of each first.
 */
export function select(
  changes: Change[],
  seconds: number,
  knowledge: Knowledge,
  exists: (file: string) => boolean,
): Selection {
  const own = changes.map(({ file }) => file).filter((file) => IS_TEST.test(file) && exists(file));
  const looking = changes.flatMap(({ file }) =>
    unimported.filter(({ changed }) => changed.test(file)).flatMap(({ tests }) => tests),
  );
  const reaching = changes
    .filter(({ file }) => !IS_TEST.test(file))
    .map(({ file, text }) => knowledge.testsOf({ file, was: text, gone: '' }));
  const run = new Set(own);
  const left = new Set<string>();
  let free = seconds - own.reduce((sum, test) => sum + knowledge.secondsOf(test), 0);
  for (const test of new Set([...looking, ...inTurns(reaching)])) {
    if (run.has(test)) continue;
    const takes = knowledge.secondsOf(test);
    if (takes > free) left.add(test);
    else {
      run.add(test);
      free -= takes;
    }
  }
  return { run: [...run], left: [...left] };
}

/** The first of each list, then the second of each. */
function inTurns(lists: string[][]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}

/** The names of the operations whose own files have changed. */
export const operationsOf = (changes: Change[]): string[] =>
  changes
    .map(({ file }) => /^functions\/(?!routes\/|workers\/)[\w-]+\/([\w-]+)\.ts$/.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .map((name) => name.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase()));
