import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import type { Random } from '#tests/simulation/random.ts';
import { type Area, areas } from './areas.ts';
import { listPoints, type Point } from './operators.ts';

export const PROJECT = resolve(import.meta.dirname, '../..');

/** One source with one change. */
export interface RandomMutant extends Point {
  /** Made of the file and both texts, so that it outlives edits elsewhere. */
  id: string;
  area: Area;
  file: string;
  line: number;
  /** The text that is replaced. */
  gone: string;
  /** The lines that the change touches, before and after it. */
  was: string;
  is: string;
}

/** The mutants of each area; only of the files for which `isWanted` holds. */
export function listMutants(isWanted = (_file: string) => true): Record<Area, RandomMutant[]> {
  const files = Object.entries(areas).map(
    ([area, pattern]) => [area as Area, globSync(pattern, { cwd: PROJECT }).filter(isWanted).sort()] as const,
  );
  const points = parse(files.flatMap(([, own]) => own.map((file) => join(PROJECT, file))));
  return Object.fromEntries(
    files.map(([area, own]) => [
      area,
      own.flatMap((file) => mutantsOf(area, file, points.get(join(PROJECT, file)) ?? [])),
    ]),
  ) as Record<Area, RandomMutant[]>;
}

/** Draws from all areas in turn, and from the operators of an area equally often, no mutant twice. */
export function drawMutants(all: RandomMutant[][], count: number, random: Random): RandomMutant[] {
  const byOperator = all.map((mutants) => [...Map.groupBy(mutants, ({ operator }) => operator).values()]);
  const drawn = new Map<string, RandomMutant>();
  const most = Math.min(count, new Set(all.flat().map(({ id }) => id)).size);
  for (let n = 0; drawn.size < most; n++) {
    const groups = byOperator[n % byOperator.length] ?? [];
    const mutant = random.pick(random.pick(groups));
    drawn.set(mutant.id, mutant);
  }
  return [...drawn.values()];
}

/** The points of sources, by their paths. Neither libraries nor imports are looked up. */
export function parse(paths: string[]): Map<string, Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-points-'));
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noResolve: true,
    noLib: true,
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: paths }));
  const api = new API({ cwd: folder });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    return new Map(
      paths.map((path) => {
        const source = project?.program.getSourceFile(path);
        if (!source) throw new Error(`${path} cannot be parsed`);
        return [path, listPoints(source)];
      }),
    );
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

function mutantsOf(area: Area, file: string, points: Point[]): RandomMutant[] {
  const source = readFileSync(join(PROJECT, file), 'utf8');
  return points.map((point) => {
    const start = source.lastIndexOf('\n', point.start) + 1;
    const end = source.indexOf('\n', point.end - 1);
    const was = inOneLine(source.slice(start, end));
    const is = inOneLine(source.slice(start, point.start) + point.text + source.slice(point.end, end));
    const id = createHash('sha256').update([file, was, is].join('\n')).digest('hex').slice(0, 10);
    const line = source.slice(0, point.start).split('\n').length;
    return { id, area, file, line, gone: source.slice(point.start, point.end), was, is, ...point };
  });
}

const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
