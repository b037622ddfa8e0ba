import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '#tests/simulation/random.ts';
import type { Area } from './areas.ts';
import { awaitsAll } from './lint.ts';
import type { Point } from './operators.ts';
import { drawMutants, PROJECT, parse, type RandomMutant } from './points.ts';
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
  'The operator %s breaks: %s',
  (operator, source, broken, index) => {
    const own = (points.get(pathOf(index)) ?? []).filter((point) => point.operator === operator);
    expect(own.map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end))).toEqual(
      broken,
    );
  },
);

test('A mutant that the types refuse is distinguished from one that they accept', async () => {
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

test('A mutant with an unawaited promise is distinguished from one with an awaited promise', async () => {
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

describe('The sample of mutants', () => {
  const mutantOf = (area: Area, number: number): RandomMutant => ({
    ...{ id: `${area} ${number}`, area, file: `${area}.ts`, line: 1, gone: '', was: '', is: '' },
    ...{ operator: number === 0 ? 'rare' : 'frequent', start: 0, end: 0, text: '' },
  });
  const all = (['shared', 'infra'] as const).map((area) =>
    Array.from({ length: 100 }, (_, number) => mutantOf(area, number)),
  );
  const draw = (count: number, seed: number) => drawMutants(all, count, new Random(seed)).map(({ id }) => id);

  test('Equals another one of the same seed, with each mutant once', () => {
    expect(draw(20, 7)).toEqual(draw(20, 7));
    expect(draw(20, 7)).not.toEqual(draw(20, 8));
    expect(new Set(draw(200, 7)).size).toBe(200);
  });

  test('Comes from all areas and operators, whatever their sizes', () => {
    const drawn = drawMutants(all, 20, new Random(7));
    expect(drawn.filter(({ area }) => area === 'infra').length).toBeGreaterThan(5);
    expect(drawn.filter(({ operator }) => operator === 'rare')).toHaveLength(2);
  });
});
