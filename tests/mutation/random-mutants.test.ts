import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#tests/simulation/random.ts';
import type { Area } from './areas.ts';
import { Covering } from './covering.ts';
import { equivalents } from './equivalent.ts';
import { Learnt, NOTHING_LEARNT, toBits } from './learnt.ts';
import { awaitsAll } from './lint.ts';
import type { Point } from './operators.ts';
import { drawMutants, listMutants, PROJECT, parse, type RandomMutant } from './points.ts';
import { switchOver } from './switched.ts';
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
    ...{ id: `${area} ${number}`, area, file: `${area}.ts`, line: 1, gone: '', was: '', is: '' },
    ...{ operator: number === 0 ? 'rare' : 'frequent', start: 0, end: 0, text: '', choice: undefined },
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

describe('what earlier runs told of a change', () => {
  const ID = 'an id';
  const notes = (
    tests: string[],
    told: { reached?: number[]; loaded?: number[]; started?: number[] }[],
  ): Learnt => {
    const kept = tests.map((test, index) => ({
      ...{
        test,
        digest: `digest of ${test}`,
        hasPassed: index !== 1,
        seconds: existsSync(join(PROJECT, test)) ? ignorant.secondsOf(test) : 1,
        failed: index === 0 ? [] : ['one that fails'],
      },
      reached: toBits(told[index]?.reached ?? [], 10),
      loaded: toBits(told[index]?.loaded ?? [], 10),
      started: toBits(told[index]?.started ?? [], 10),
    }));
    const ids = Array.from({ length: 10 }, (_, place) => (place === 9 ? ID : `${place}`));
    return new Learnt(
      { ids, sources: [['functions/drafts/edit-draft.ts', 0]], tests: kept },
      (test) => `digest of ${test === 'changed' ? 'what it is now' : test}`,
    );
  };
  const place = { file: 'functions/drafts/edit-draft.ts', was: '', gone: '', id: ID };
  const [nearest = '', ...others] = ignorant.testsOf(place);
  const last = others.pop() ?? '';
  const asked = (learnt: Learnt, asking = place) =>
    new Covering(PROJECT, { seconds: new Map(), learnt }).testsOf(asking);

  test('tests that come to it are asked first, and those that are newer than what is known of others', () => {
    const all = [last, nearest, ...others];
    expect(asked(notes(all, [{ reached: [9] }]))).toEqual(all);
    expect(asked(notes([last, ...others], [{ reached: [9] }]))).toEqual([nearest, last, ...others]);
    expect(asked(notes([last, ...others], [{ reached: [8] }])).indexOf(last)).toBeGreaterThan(1);
  });

  test('what is come to while the sources are loaded is asked of the document and of the tests that show it, before others', () => {
    const all = [nearest, ...others, last];
    const first = ['tests/conformance/declared/shown.test.ts', 'tests/conformance/document.test.ts'];
    expect(
      asked(notes(all, [{ loaded: [9] }]))
        .slice(0, 2)
        .sort(),
    ).toEqual(first);
    expect(asked(notes(all, [])).slice(0, 2).sort()).toEqual(first);
    expect(asked(notes(all, [{ reached: [9] }]))[0]).toBe(nearest);
  });

  test('a test that loads a source without an import is asked, and one that is gone is not', () => {
    const told = [{ reached: [9] }, { reached: [9] }];
    const own = asked(notes(['tests/domain/tus.test.ts', 'tests/gone.test.ts'], told), {
      ...place,
      file: 'web/net/outbox-keeping.ts',
    });
    expect(own).toContain('tests/web/net/outbox-keeping.test.ts');
    expect(own).toContain('tests/domain/tus.test.ts');
    expect(own).not.toContain('tests/gone.test.ts');
  });

  test('is not known of a test that was changed since, and one that failed is not asked again so', () => {
    const learnt = notes(['one', 'two', 'changed'], [{ reached: [9] }, {}, { reached: [9] }]);
    expect([...learnt.testsOf(ID)]).toEqual(['one']);
    expect(['one', 'two', 'changed'].map((test) => learnt.isKnown(test))).toEqual([true, true, false]);
    expect(['one', 'two', 'changed'].map((test) => learnt.isSwitchable(test))).toEqual([true, false, true]);
    expect(learnt.isLoaded(ID)).toBe(false);
  });

  test('of those that come to it those begin that come to most of its source', () => {
    const [few = '', many = ''] = ['tests/api/users/get-user.test.ts', 'tests/api/bots/list-bots.test.ts'];
    const told = (first: number[], second: number[]) =>
      asked(notes([few, 'failing', many], [{ reached: first }, {}, { reached: second }])).filter((test) =>
        [few, many].includes(test),
      );
    expect(told([9], [0, 1, 2, 3, 4, 5, 6, 9])[0]).toBe(many);
    expect(told([0, 1, 2, 3, 4, 5, 6, 9], [9])[0]).toBe(few);
  });
});

describe('a switched source', () => {
  const PROGRAM = `const said: unknown[] = [];
const say = (text: string): void => { said.push(text); };
const count = (items?: { of: string[] }) => items?.of.filter((one) => one !== 'b').length;
const shape = (n: number) => ({ n, ['k']: n + 1, ...(n > 1 ? { big: true } : {}), twice() { return n * 2; }, get half() { return n / 2; } });
if (count({ of: ['a', 'b'] }) === 1) say('one'); else say('other');
try { if (shape(2).n >= 2) throw new Error('big'); } catch (failure) { say((failure as Error).message); }
let [first, second = 7] = [1, 2];
[first, second] = [second, first];
const { 0: zero } = ['zero'];
say(JSON.stringify([count(), shape(1), shape(2).twice?.(), first && second, zero ?? null, { 0: 'none' }]));
said;
`;
  const outcomeOf = (source: string, env: Record<string, string> = {}): unknown => {
    try {
      return runInNewContext(stripTypeScriptTypes(source), { process: { env } });
    } catch (failure) {
      return `${failure}`;
    }
  };

  test('does with each number what the source does that is broken there, and without one what it did', () => {
    const path = join(folder, 'program.ts');
    writeFileSync(path, PROGRAM);
    const numbered = (parse([path]).get(path) ?? []).map((point, number) => ({ ...point, number }));
    const switched = switchOver(PROGRAM, numbered);
    expect(outcomeOf(switched)).toEqual(outcomeOf(PROGRAM));
    expect(switched.split('\n')).toHaveLength(PROGRAM.split('\n').length);
    const made = numbered.filter(({ choice }) => choice !== undefined);
    for (const { start, end, text, number } of made) {
      const broken = PROGRAM.slice(0, start) + text + PROGRAM.slice(end);
      expect([number, outcomeOf(switched, { MUTANT: `${number}` })]).toEqual([number, outcomeOf(broken)]);
    }
    const others = numbered.filter(({ choice }) => choice === undefined);
    expect(others.map(({ start, end }) => PROGRAM.slice(start, end))).toEqual([
      ...['get half() { return n / 2; }', 'first, ', 'second', '0', '0'],
    ]);
  });
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
