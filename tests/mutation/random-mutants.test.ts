import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#tests/simulation/random.ts';
import type { Area } from './areas.ts';
import { Covering } from './covering.ts';
import { equivalents } from './equivalent.ts';
import { gather, NOTHING_LEARNT, runnersOf } from './learnt.ts';
import { awaitsAll } from './lint.ts';
import type { Point } from './operators.ts';
import { drawMutants, listMutants, PROJECT, parse, type RandomMutant } from './points.ts';
import { hasRightTypes } from './types.ts';

const samples: [operator: string, source: string, broken: string[]][] = [
  ['negated condition', 'if (a) b();', ['if (!(a)) b();']],
  ['negated condition', 'b(a ? 1 : 2);', ['b(!(a) ? 1 : 2);']],
  ['dropped condition', 'b(a && c);', ['b(a);', 'b(c);']],
  ['other comparison', 'b(a < c);', ['b(a <= c);']],
  ['other constant', 'b(7, true);', ['b((7 + 1), true);', 'b(7, false);']],
  ['dropped await', 'const b = await a();', ['const b = (a());']],
  ['dropped call', 'await a();', [';']],
  ['dropped step', "b('✔', a.sort());", ["b('✔', a);"]],
  ['dropped field', 'b({ a, c: 1 });', ['b({ c: 1 });', 'b({ a,  });']],
  ['dropped field', 'type B = { a: [1] }; b([a]);', ['type B = { a: [1] }; b([]);']],
  ['dropped refusal', 'if (a) throw b;', ['if (a) ;']],
  ['early return', 'const b = () => { a(); };', ['const b = () => { return undefined as never; };']],
];

let folder: string;
let points: Map<string, Point[]>;
const pathOf = (index: number): string => join(folder, `sample-${index}.ts`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mutation-samples-'));
  for (const [index, [, source]] of samples.entries()) writeFileSync(pathOf(index), `${source}\n`);
  points = parse([...samples.keys()].map(pathOf));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(samples.map((sample, index) => [...sample, index] as const))(
  'a %s breaks: %s',
  (operator, source, broken, index) => {
    const own = (points.get(pathOf(index)) ?? []).filter((point) => point.operator === operator);
    expect(own.map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end))).toEqual(
      broken,
    );
  },
);

test('a mutant that the types refuse is told from one that they accept', async () => {
  const project = join(folder, 'project');
  mkdirSync(join(project, 'dist'), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'), 'dir');
  writeFileSync(
    join(project, 'tsconfig.json'),
    '{ "compilerOptions": { "types": [] }, "files": ["one.ts"] }',
  );
  const isRight = (source: string) => {
    writeFileSync(join(project, 'one.ts'), source);
    return hasRightTypes(project, 'one.ts');
  };
  expect(await isRight('export const one: number = 1;')).toBe(true);
  expect(await isRight("export const one: number = 'one';")).toBe(false);
  expect(await isRight('export const one: number = 2;')).toBe(true);
});

test('a mutant whose promise nothing awaits is told from one that awaits it', async () => {
  const project = join(folder, 'linted');
  mkdirSync(project);
  copyFileSync(join(PROJECT, 'biome.json'), join(project, 'biome.json'));
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'), 'dir');
  const isRight = (source: string) => {
    writeFileSync(join(project, 'one.ts'), `const act = async (): Promise<void> => {};\n${source}\n`);
    return awaitsAll(project, 'one.ts');
  };
  expect(await isRight('await act();')).toBe(true);
  expect(await isRight('(act());')).toBe(false);
});

describe('what is drawn', () => {
  const mutantOf = (area: Area, number: number): RandomMutant => ({
    ...{ id: `${area} ${number}`, area, file: `${area}.ts`, line: 1, gone: '', was: '', is: '', within: [] },
    ...{ operator: number === 0 ? 'rare' : 'frequent', start: 0, end: 0, text: '' },
  });
  const all = (['shared', 'infra'] as const).map((area) =>
    Array.from({ length: 100 }, (_, number) => mutantOf(area, number)),
  );
  const draw = (count: number, seed: number) => drawMutants(all, count, new Random(seed)).map(({ id }) => id);

  test('is the same for the same seed, and each mutant once', () => {
    expect(draw(20, 7)).toEqual(draw(20, 7));
    expect(draw(20, 7)).not.toEqual(draw(20, 8));
    expect(new Set(draw(200, 7)).size).toBe(200);
  });

  test('comes from all areas and operators, however much there is of each', () => {
    const drawn = drawMutants(all, 20, new Random(7));
    expect(drawn.filter(({ area }) => area === 'infra').length).toBeGreaterThan(5);
    expect(drawn.filter(({ operator }) => operator === 'rare')).toHaveLength(2);
  });
});

const ignorant = new Covering(PROJECT, { seconds: new Map(), learnt: NOTHING_LEARNT });

test('the tests of the same subject are among the four that are run first', () => {
  const firstOf = (place: Parameters<typeof ignorant.testsOf>[0]) => ignorant.testsOf(place).slice(0, 4);
  const place = { file: 'functions/drafts/edit-draft.ts', was: '', gone: '' };
  expect(firstOf(place)).toContain('tests/api/drafts/edit-draft.test.ts');
  const rules = { ...place, file: 'shared/domain/user-groups/permission-rules.ts' };
  expect(firstOf(rules)).toContain('tests/domain/valid-setting.test.ts');
});

test('tests that run the broken function are asked first, and those that are newer than what is known of others', () => {
  const place = { file: 'functions/drafts/edit-draft.ts', was: '', gone: '', within: ['editDraft'] };
  const all = ignorant.testsOf(place);
  const [nearest = '', ...others] = all;
  const last = others.pop() ?? '';
  const runners = { [place.file]: { editDraft: [0] } };
  const firstOf = (tests: string[]) =>
    new Covering(PROJECT, { seconds: new Map(), learnt: { tests, runners } }).testsOf(place);
  expect(firstOf([last, nearest, ...others])).toEqual([last, nearest, ...others]);
  expect(firstOf([last, ...others])).toEqual([nearest, last, ...others]);
});

test('what an operation declares is asked of its document and of the tests that show it, before others that are not known to run it', () => {
  const place = {
    file: 'functions/drafts/edit-draft.ts',
    was: '',
    gone: '',
    within: ['errors', 'editDraft'],
  };
  const tests = ignorant.testsOf(place);
  const runners = { [place.file]: { handle: [0] } };
  const firstOf = (within: string[]) =>
    new Covering(PROJECT, { seconds: new Map(), learnt: { tests, runners } })
      .testsOf({ ...place, within })
      .slice(0, 2)
      .sort();
  expect(firstOf(place.within)).toEqual([
    'tests/conformance/declared/shown.test.ts',
    'tests/conformance/document.test.ts',
  ]);
  expect(firstOf(['handle', 'editDraft'])).toContain(tests[0]);
});

test('a test that loads a source without an import is asked, and one that is gone is not', () => {
  const place = { file: 'web/net/outbox-keeping.ts', was: '', gone: '', within: ['keepOutbox'] };
  const learnt = {
    tests: ['tests/domain/tus.test.ts', 'tests/gone.test.ts'],
    runners: { [place.file]: { keepOutbox: [0, 1] } },
  };
  const asked = new Covering(PROJECT, { seconds: new Map(), learnt }).testsOf(place);
  expect(asked).toContain('tests/web/net/outbox-keeping.test.ts');
  expect(asked).toContain('tests/domain/tus.test.ts');
  expect(asked).not.toContain('tests/gone.test.ts');
});

test('a place is known by the functions around it, the innermost first', () => {
  const path = join(folder, 'within.ts');
  writeFileSync(
    path,
    'class A { #b() { c(() => 1); } get d() { return 2; } }\nconst e = { f: () => { const g = 3; } };\nh(4);\n',
  );
  const constants = (parse([path]).get(path) ?? []).filter(({ operator }) => operator === 'other constant');
  expect(constants.map(({ text, within }) => [text, within])).toEqual([
    ['(1 + 1)', ['#b']],
    ['(2 + 1)', ['d']],
    ['(3 + 1)', ['g', 'f', 'e']],
    ['(4 + 1)', []],
  ]);
});

test('the tests that ran a function are known by its nearest name', () => {
  const learnt = gather([
    { test: 'one.test.ts', functions: { 'a.ts': ['outer', 'constructor'] } },
    { test: 'two.test.ts', functions: { 'a.ts': ['outer', 'inner'], 'b.ts': ['outer'] } },
  ]);
  const runners = (file: string, ...within: string[]) => [...runnersOf({ file, within }, learnt)];
  expect(runners('a.ts', 'inner', 'outer')).toEqual(['two.test.ts']);
  expect(runners('a.ts', 'local', 'outer')).toEqual(['one.test.ts', 'two.test.ts']);
  expect(runners('a.ts', 'constructor')).toEqual(['one.test.ts']);
  expect(runners('b.ts', 'inner')).toEqual([]);
  expect(runners('c.ts', 'outer')).toEqual([]);
});

test('each change that is listed as equivalent is still one that can be made', () => {
  const files = new Set(equivalents.map(({ file }) => file));
  const mutants = files.size === 0 ? [] : Object.values(listMutants((file) => files.has(file))).flat();
  for (const { file, was, is, reason } of equivalents) {
    expect(reason).toMatch(/\w/);
    const found = mutants.some((mutant) => mutant.file === file && mutant.was === was && mutant.is === is);
    expect([file, is, found]).toEqual([file, is, true]);
  }
});
