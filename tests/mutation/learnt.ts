import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutTimes } from '#tests/harness/run/compares-times.ts';
import { PROJECT } from './points.ts';
import { copySwitched } from './switched-copy.ts';

const LEARNT = join(PROJECT, 'dist/changes-reached.json');

/** What a run of all tests told. */
interface Kept {
  /** The ids of all changes. Below, each is known by its place in this list. */
  ids: string[];
  /** The place of the first change of each source. */
  sources: [file: string, first: number][];
  tests: KeptTest[];
}

interface KeptTest {
  test: string;
  /** Of the text that the file had. */
  digest: string;
  seconds: number;
  /** The full names of its tests that failed in the switched copy. Some look at the sources themselves. */
  failed: string[];
  /** Whether others passed. */
  hasPassed: boolean;
  /**
   * A bit for each change that the file comes to, in Base64; for each that it comes to while its sources are loaded; and for each that the
   * processes come to which it starts.
   */
  reached: string;
  loaded: string;
  started: string;
}

/** Which test files come to which changes. */
export class Learnt {
  readonly #places: Map<string, number[]>;
  readonly #sources: Map<string, { from: number; to: number }>;
  readonly #tests: Map<string, { kept: KeptTest; reached: Buffer; loaded: Buffer; started: Buffer }>;

  /** @param digestOf of the text that a test file has now */
  constructor({ ids, sources, tests }: Kept, digestOf: (test: string) => string) {
    // Lines may stand twice in a file, and then their changes have one id.
    this.#places = Map.groupBy(ids.keys(), (place) => ids[place] ?? '');
    this.#sources = new Map(
      sources.map(([file, from], index) => [file, { from, to: sources[index + 1]?.[1] ?? ids.length }]),
    );
    const bitsOf = (text: string): Buffer => Buffer.from(text, 'base64');
    this.#tests = new Map(
      tests
        .filter(({ test, digest }) => digestOf(test) === digest)
        .map((kept) => {
          const { test, reached, loaded, started } = kept;
          return [test, { kept, reached: bitsOf(reached), loaded: bitsOf(loaded), started: bitsOf(started) }];
        }),
    );
  }

  /** Whether it is known what a test file comes to: it was there, and is as it was. */
  isKnown(test: string): boolean {
    return this.#tests.has(test);
  }

  /** Whether anything of a test file passes in a switched copy, as far as is known. */
  isSwitchable(test: string): boolean {
    return this.#tests.get(test)?.kept.hasPassed ?? true;
  }

  /** The full names of tests that fail in a switched copy by themselves. */
  failedOf(test: string): string[] {
    return this.#tests.get(test)?.kept.failed ?? [];
  }

  /** How long a test file took; undefined where that is not known. */
  secondsOf(test: string): number | undefined {
    return this.#tests.get(test)?.kept.seconds;
  }

  /** The test files that come to a change after their sources are loaded. */
  testsOf(id: string): Set<string> {
    return this.#testsWith(id, 'reached');
  }

  /** The test files that start a process that comes to a change. */
  startersOf(id: string): Set<string> {
    return this.#testsWith(id, 'started');
  }

  /** How much of the changes of a source a test file comes to, from 0 to 1: what comes to most is about it. */
  shareOf(test: string, source: string): number {
    const { from, to } = this.#sources.get(source) ?? { from: 0, to: 0 };
    const reached = this.#tests.get(test)?.reached;
    if (reached === undefined || from === to) return 0;
    let count = 0;
    for (let place = from; place < to; place++) if (hasBit(reached, place)) count++;
    return count / (to - from);
  }

  /** Whether a change is come to while the sources are loaded, so that all files of tests with them may tell. */
  isLoaded(id: string): boolean {
    return this.#testsWith(id, 'loaded').size > 0;
  }

  #testsWith(id: string, kind: 'reached' | 'loaded' | 'started'): Set<string> {
    const places = this.#places.get(id) ?? [];
    const reaching = [...this.#tests].filter(([, bits]) => places.some((place) => hasBit(bits[kind], place)));
    return new Set(reaching.map(([test]) => test));
  }
}

export const NOTHING_LEARNT = new Learnt({ ids: [], sources: [], tests: [] }, digestOf);

/** Runs all tests on a switched copy, and keeps for later which of them come to which changes. */
export async function learn(): Promise<void> {
  const notes = mkdtempSync(join(tmpdir(), 'changes-reached-'));
  const copy = await copySwitched();
  try {
    const args = ['run', '--reporter=minimal', '--reporter=json', ...withoutTimes];
    spawnSync('vitest', args, {
      cwd: copy.folder,
      stdio: 'inherit',
      env: { ...process.env, MUTANTS_NOTED: notes },
    });
    const tests = globSync(join(notes, '*.json')).map((path) => readNote(path, copy.ids.length));
    if (tests.length === 0) throw new Error('No test noted what it runs.');
    const results = readResults(copy.folder);
    const kept: Kept = {
      ids: copy.ids,
      sources: copy.sources,
      tests: tests.map((one) => ({ ...one, ...resultOf(results.get(one.test)), digest: digestOf(one.test) })),
    };
    writeFileSync(LEARNT, JSON.stringify(kept));
  } finally {
    rmSync(notes, { recursive: true });
    await copy.remove();
  }
}

/** What a file of tests noted, and the processes that it started. */
function readNote(path: string, count: number): Pick<KeptTest, 'test' | 'reached' | 'loaded' | 'started'> {
  const { test, reached, loaded } = JSON.parse(readFileSync(path, 'utf8'));
  const others = path.replace(/\.json$/, '.others');
  const started = existsSync(others)
    ? readFileSync(others, 'utf8').split('\n').filter(Boolean).map(Number)
    : [];
  return {
    test,
    reached: toBits(reached, count),
    loaded: toBits(loaded, count),
    started: toBits(started, count),
  };
}

interface Result {
  name: string;
  startTime: number;
  endTime: number;
  assertionResults: { status: string; fullName: string }[];
}

/** What the report of a run says of each test file. */
function readResults(folder: string): Map<string, Result> {
  const { testResults } = JSON.parse(readFileSync(join(folder, 'dist/test-report.json'), 'utf8')) as {
    testResults: Result[];
  };
  return new Map(testResults.map((result) => [result.name.slice(folder.length + 1), result]));
}

function resultOf(result: Result | undefined): Pick<KeptTest, 'seconds' | 'failed' | 'hasPassed'> {
  if (!result) return { seconds: 0, failed: [], hasPassed: false };
  const { startTime, endTime, assertionResults } = result;
  return {
    seconds: (endTime - startTime) / 1000,
    failed: assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    hasPassed: assertionResults.some(({ status }) => status === 'passed'),
  };
}

export function readLearnt(): Learnt {
  return existsSync(LEARNT) ? new Learnt(JSON.parse(readFileSync(LEARNT, 'utf8')), digestOf) : NOTHING_LEARNT;
}

export function toBits(places: number[], count: number): string {
  const bits = Buffer.alloc(Math.ceil(count / 8));
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  return bits.toString('base64');
}

const hasBit = (bits: Buffer, place: number): boolean => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;

function digestOf(test: string): string {
  const path = join(PROJECT, test);
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'gone';
}
