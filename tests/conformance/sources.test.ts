import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { leftOut } from '#tests/engines/left-out.ts';

const AREAS = ['functions', 'shared', 'infra', 'tests'];

interface Source {
  file: string;
  text: string;
}

const read = (pattern: string): Source[] =>
  globSync(pattern).map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }));
const sources = AREAS.flatMap((area) => read(`${area}/**/*.ts`));
const inFolders = (...folders: string[]): Source[] =>
  sources.filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)));

/** The lines of files that match, as `file:line: text`. */
const findLines = (among: Source[], pattern: RegExp): string[] =>
  among.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );

/** Statements that import or export from elsewhere. */
const SPECIFIER = /(?:from|import)\s*\(?\s*'([^']+)'/g;
const specifiersOf = ({ text }: Source): string[] => [...text.matchAll(SPECIFIER)].map(([, one = '']) => one);

/** The part of the house that a file belongs to: `functions`, `shared/domain`, ... */
const areaOf = (file: string): string => {
  const [top = '', second = ''] = file.split('/');
  return top === 'shared' ? `${top}/${second}` : top;
};

test('The sources are found', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(specifiersOf).length).toBeGreaterThan(500);
});

/** A title of a test: the first argument of `test`, `it` and `describe`, or of the call that follows their rows. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*(?:\(\w*\))?\(|[\])]\)\()\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`]+)`),\s/g;
const titlesOf = ({ file, text }: Source): { file: string; title: string }[] =>
  [...text.matchAll(TITLE)].map(([, single, double, template]) => ({
    file,
    title: single ?? double ?? template ?? '',
  }));

describe('The title of a test', () => {
  const titles = inFolders('tests').flatMap(titlesOf);
  const findTitles = (pattern: RegExp): string[] =>
    titles.flatMap(({ file, title }) => (pattern.test(title) ? [`${file}: ${title}`] : []));

  test('Begins with a capital letter, unless it begins with a name of the code', () => {
    expect(titles.length).toBeGreaterThan(5_000);
    expect(findTitles(/^(?!npm )[a-z]+[ ,:]/)).toEqual([]);
  });

  test('Begins with a subject or a verb', () => {
    expect(findTitles(/^(?:is|are|was|were|what|who|whom|which|of|that|and)\b/i)).toEqual([]);
  });

  test('Has at most 120 characters', () => {
    expect(findTitles(/^.{121}/s)).toEqual([]);
  });

  test('Ends the name of each test that DynamoDB Local leaves out', () => {
    const ends = titles
      .map(({ title }) => title.split(/%\w/))
      .filter((parts) => parts.join('').length > 10)
      .map((parts) => new RegExp(`${parts.map(RegExp.escape).join('.*')}$`));
    const names = leftOut.map(({ test: name }) => name);
    expect(names.filter((name) => !ends.some((end) => end.test(name)))).toEqual([]);
  });
});

describe('Domain, events and markdown', () => {
  const pure = inFolders('shared/domain', 'shared/events', 'shared/markdown');
  const IMPURE =
    /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\)|\bMath\.random\b|\bperformance\.|\bcrypto\.|\brandom(Bytes|UUID|Int|FillSync)\b|\bprocess\.|\bset(Timeout|Interval|Immediate)\b|\bfetch\(|\bawait\b|\basync\b|\bconsole\./;

  test('Contain no clock, randomness, environment, network or waiting', () => {
    expect(pure.length).toBeGreaterThan(30);
    expect(findLines(pure, IMPURE)).toEqual([]);
  });

  test.each([
    'const now = Date.now();',
    'const now = new Date();',
    'const n = Math.random();',
    'const id = randomUUID();',
    'const zone = process.env.TZ;',
    'setTimeout(done, 1);',
    'await work();',
  ])('Fail the rule with %j', (line) => {
    expect(findLines([{ file: 'x.ts', text: line }], IMPURE)).toHaveLength(1);
  });

  test('Pass the rule with a date of a given time', () => {
    expect(findLines([{ file: 'x.ts', text: 'new Date(seconds * 1000)' }], IMPURE)).toEqual([]);
  });
});

describe('Imports', () => {
  const product = inFolders('functions', 'shared', 'infra');

  test('From other areas use their aliases, which the linter checks', () => {
    const sneaking = product.flatMap((source) =>
      specifiersOf(source)
        .filter((one) => one.startsWith('.'))
        .filter((one) => areaOf(join(dirname(source.file), one)) !== areaOf(source.file))
        .map((one) => `${source.file}: ${one}`),
    );
    expect(sneaking).toEqual([]);
  });

  test('Name a file with its extension, so that no build is needed to run', () => {
    const local = sources.flatMap((source) => specifiersOf(source).filter((one) => /^[.#]/.test(one)));
    expect(local.filter((one) => !/\.(ts|json)$/.test(one))).toEqual([]);
  });

  test('Lead from the product to no test', () => {
    expect(findLines(product, /from '[^']*(#tests\/|\/tests\/)/)).toEqual([]);
  });
});

describe('The sources contain', () => {
  test('No barrels: no file does nothing but export from others', () => {
    const barrels = sources.filter(
      ({ text }) =>
        text.trim() !== '' &&
        text.split('\n').every((line) => line.trim() === '' || line.startsWith('export * ')),
    );
    expect(barrels).toEqual([]);
  });

  test('No folders for odds and ends', () => {
    const drawers = sources.filter(({ file }) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.ts$)/.test(file));
    expect(drawers.map(({ file }) => file)).toEqual([]);
  });

  test('No mocks of modules and no skipped tests', () => {
    const tests = inFolders('tests').filter(({ file }) => !file.startsWith('tests/conformance/'));
    expect(findLines(tests, /\bvi\.mock\(|\b(test|it|describe)\.(skip|only|todo)\b/)).toEqual([]);
  });

  test('No keys of the table outside shared/table/keys', () => {
    const elsewhere = product().filter(({ file }) => !file.startsWith('shared/table/keys/'));
    expect(findLines(elsewhere, /\b[ps]k: [`'"]/)).toEqual([]);
  });

  const product = (): Source[] => inFolders('functions', 'shared');
});
