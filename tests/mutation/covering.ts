import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { comparesTimes } from '#tests/harness/run/compares-times.ts';
import { type Learnt, readLearnt } from './learnt.ts';
import { PROJECT } from './points.ts';

const SOURCES = '{functions,infra,shared,tests,web}/**/*.{ts,tsx}';
const IMPORT = /(?:from|import\(|import)\s*\(?'([#.][^']+)'/g;
/** A test may start a program by its path, or load what it has no types of by its name. */
const PATH = /['`]#?((?:functions|infra|shared|tests|web)\/[\w./-]+\.tsx?)(?:\?[^'`]*)?['`]/g;
/** They take many minutes, need an engine or a repository that is not there, or test what chooses tests. */
const NOT_ASKED = /^tests\/(?:engines|attack|sam|mutation|changed)\/|^tests\/conformance\/layers\./;
/** They reach nearly everything, and are asked where it is known that they run the place. */
const ASKED_OF_WHAT_THEY_RUN = /^tests\/(?:bench|simulation)\//;
/** What an operation declares is run by nothing, but held against its document and against the tests that show it. */
const OF_DECLARATIONS = ['tests/conformance/document.test.ts', 'tests/conformance/declared/shown.test.ts'];
/** Tests of the browser open pages that are served, so that no import leads from them to the web client. */
const BROWSER_STEPS = 6;
/** About as much as is run of a test file in a second. */
const BYTES_A_SECOND = 4_000;
/** Files of few lines that do much. */
const IS_LONG = /^tests\/(?:web\/browser|conformance|infra\/lambda|infra\/local)\//;
const LONG_SECONDS = 8;
/** What more files than this import is about nothing in particular. */
const FEW = 15;
/** So much of the changed lines tells what they are about. */
const TOLD_BY_TEXT = 300;
const TOLD_BY_NODE = 80;
/** How much the parts of a rank count. */
const WORTH = { sameArea: 2, word: 4, near: 4, seconds: 0.5, vocabulary: 16, share: 12 };

/** A place in a source: the text that is gone there, and the lines in which it stood. */
interface Place {
  file: string;
  was: string;
  gone: string;
  /** Of the change, where it is one that was there when all tests ran last. */
  id?: string;
}

/** How long each test file took, and which changes it came to. */
interface EarlierRuns {
  seconds: Map<string, number>;
  learnt: Learnt;
}

/** Which tests reach which sources, by their imports, and how near they are. */
export class Covering {
  readonly #importers = new Map<string, Set<string>>();
  readonly #frequency = new Map<string, number>();
  readonly #seconds: Map<string, number>;
  readonly #learnt: Learnt;
  readonly #folder: string;
  readonly #vocabularies: Vocabularies;

  /**
   * @param folder the project, or a copy of it
   * @param runs what earlier runs in the project told
   */
  constructor(folder = PROJECT, runs: EarlierRuns = { seconds: lastSeconds(), learnt: readLearnt() }) {
    this.#folder = folder;
    this.#seconds = runs.seconds;
    this.#learnt = runs.learnt;
    this.#vocabularies = new Vocabularies(folder);
    for (const file of globSync(SOURCES, { cwd: folder })) {
      for (const word of wordsOf(file)) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1);
      for (const target of targetsOf(folder, file)) {
        const importers = this.#importers.get(target) ?? new Set();
        this.#importers.set(target, importers.add(file));
      }
    }
  }

  /**
   * The test files that reach a place in a source, the most promising first. Those that come to it begin, and those of which it
   * is not known yet.
   */
  testsOf({ file: source, was, gone, id = '' }: Place): string[] {
    const steps = this.#stepsFrom(source);
    const words = new Map<string, number>();
    for (const near of [0, 1, 2].map((step) => [...steps].filter(([, one]) => one === step)))
      if (near.length <= FEW)
        for (const [file, step] of near)
          for (const word of wordsOf(file)) words.set(word, Math.max(words.get(word) ?? 0, 1 / (step + 1)));
    for (const word of wordsOf(was.slice(0, TOLD_BY_TEXT))) words.set(word, 1);
    for (const word of wordsOf(gone.slice(0, TOLD_BY_NODE))) words.set(word, 2);
    const runners = this.#learnt.testsOf(id);
    const starters = this.#learnt.startersOf(id);
    // Some load or start it without an import, and some are gone.
    const unimported = [...runners, ...starters].filter((test) => existsSync(join(this.#folder, test)));
    const tests = [...new Set([...steps.keys(), ...unimported])].filter((file) => isAsked(file, runners));
    const alike = this.#vocabularies.likenessTo(source);
    const ranks = new Map(
      tests.map((test) => [
        test,
        this.#rankOf(test, source, words, steps.get(test) ?? 0) +
          WORTH.vocabulary * alike(test) +
          WORTH.share * this.#learnt.shareOf(test, source),
      ]),
    );
    tests.sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || a.localeCompare(b));
    const isDeclared =
      /^(?:functions|shared)\//.test(source) && (runners.size === 0 || this.#learnt.isLoaded(id));
    const isFirst = (test: string): boolean =>
      runners.has(test) || !this.#learnt.isKnown(test) || (isDeclared && OF_DECLARATIONS.includes(test));
    const rankOf = (test: string): number => (isFirst(test) ? 0 : starters.has(test) ? 1 : 2);
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  /**
   * Those of `testsOf` that may come to a change: all where only loaded sources do, or where nothing is known of it. Those that only
   * start a process which does are slow, and left out where others come to it themselves, unless processes are what it is about.
   */
  reachingOf(place: Place & { id: string }): string[] {
    const tests = this.testsOf(place);
    const runners = this.#learnt.testsOf(place.id);
    const starters = this.#learnt.startersOf(place.id);
    if (runners.size + starters.size === 0 || this.isOnlyLoaded(place.id)) return tests;
    const isStarted = runners.size === 0 || place.file.startsWith('infra/');
    return tests.filter(
      (test) => runners.has(test) || (isStarted && starters.has(test)) || !this.#learnt.isKnown(test),
    );
  }

  /** Whether a change is come to while the sources are loaded, and not later. */
  isOnlyLoaded(id: string): boolean {
    return this.#learnt.isLoaded(id) && this.#learnt.testsOf(id).size === 0;
  }

  /** Whether anything of a test file passes in a switched copy, as far as is known. */
  isSwitchable(test: string): boolean {
    return this.#learnt.isSwitchable(test) && !comparesTimes.includes(test);
  }

  /** The full names of tests of a file that fail in a switched copy by themselves. */
  failedOf(test: string): string[] {
    return this.#learnt.failedOf(test);
  }

  /** How long a test file took when all ran last, or about how long one of its size takes. */
  secondsOf(test: string): number {
    const known = this.#learnt.secondsOf(test) ?? this.#seconds.get(test);
    if (known !== undefined) return known;
    return statSync(join(this.#folder, test)).size / BYTES_A_SECOND + (IS_LONG.test(test) ? LONG_SECONDS : 0);
  }

  #rankOf(test: string, source: string, words: Map<string, number>, steps: number): number {
    const weightOf = (word: string): number =>
      (words.get(word) ?? 0) / Math.log2(1 + (this.#frequency.get(word) ?? 1));
    const common = [...new Set(wordsOf(test))].reduce((sum, word) => sum + weightOf(word), 0);
    const rooms = dirname(source).split('/').slice(1);
    const isSameArea = rooms.some((room) => test.includes(room.replace(/s$/, '')));
    return (
      WORTH.word * common +
      (isSameArea ? WORTH.sameArea : 0) +
      WORTH.near / Math.max(1, steps) -
      WORTH.seconds * Math.log2(1 + this.secondsOf(test))
    );
  }

  /** How many imports lie between a source and each file that depends on it. */
  #stepsFrom(source: string): Map<string, number> {
    const steps = new Map([[source, 0]]);
    for (const [file, step] of steps)
      for (const importer of this.#importers.get(file) ?? [])
        if (!steps.has(importer)) steps.set(importer, step + 1);
    if (source.startsWith('web/'))
      for (const file of globSync('tests/web/browser/*.test.ts', { cwd: this.#folder }))
        if (!steps.has(file)) steps.set(file, BROWSER_STEPS);
    return steps;
  }
}

const isAsked = (file: string, runners: Set<string>): boolean =>
  file.endsWith('.test.ts') &&
  !NOT_ASKED.test(file) &&
  (runners.has(file) || !ASKED_OF_WHAT_THEY_RUN.test(file));

/** What words files use, and how many of the tests use each. */
class Vocabularies {
  readonly #words = new Map<string, Set<string>>();
  readonly #tests: string[];
  readonly #users = new Map<string, number>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#tests = globSync('tests/**/*.test.ts', { cwd: folder });
    for (const test of this.#tests)
      for (const word of this.#wordsIn(test)) this.#users.set(word, (this.#users.get(word) ?? 0) + 1);
  }

  /** How much of the rare words of a source a test shares with it, from 0 to 1. */
  likenessTo(source: string): (test: string) => number {
    const own = this.#wordsIn(source);
    const length = this.#lengthOf(own);
    return (test) => {
      const words = this.#wordsIn(test);
      const common = new Set([...own].filter((word) => words.has(word)));
      return this.#lengthOf(common) ** 2 / (length * this.#lengthOf(words) || 1);
    };
  }

  #wordsIn(file: string): Set<string> {
    const known = this.#words.get(file);
    if (known) return known;
    const words = new Set(wordsOf(readFileSync(join(this.#folder, file), 'utf8')));
    this.#words.set(file, words);
    return words;
  }

  #lengthOf(words: Set<string>): number {
    const rarity = (word: string): number => Math.log2(1 + this.#tests.length / (this.#users.get(word) ?? 1));
    return Math.sqrt([...words].reduce((sum, word) => sum + rarity(word) ** 2, 0));
  }
}

/** The files that a file imports or starts. */
function targetsOf(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8');
  const imported = [...text.matchAll(IMPORT)].map(([, path = '']) =>
    path.startsWith('#') ? path.slice(1) : normalize(join(dirname(file), path)),
  );
  return [...imported, ...[...text.matchAll(PATH)].map(([, path = '']) => path)];
}

/** The words of a path, or of the names in a text. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\.test)?\.tsx?$/, '')
    .split(/[^a-zA-Z]|(?=[A-Z])/)
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter((word) => word.length > 2);

/** How long each test file took in the last run of all tests, if there was one. */
function lastSeconds(): Map<string, number> {
  const report = join(PROJECT, 'dist/test-report.json');
  if (!existsSync(report)) return new Map();
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return new Map(
    testResults.map(({ name, startTime, endTime }: { name: string; startTime: number; endTime: number }) => [
      name.slice(PROJECT.length + 1),
      (endTime - startTime) / 1000,
    ]),
  );
}
