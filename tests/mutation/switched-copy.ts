import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Copy, copySources } from '#tests/simulation/mutants/mutation-check.ts';
import { listMutants } from './points.ts';
import { switchOver } from './switched.ts';

/** A copy of the project that has every change in it: a process makes the one of which it is told the number. */
export interface SwitchedCopy extends Copy {
  /** The ids of all changes. The number of a change is its place in this list. */
  ids: string[];
  /** The number of the first change of each source. */
  sources: [file: string, first: number][];
  /** By which number a process makes a change, by its id. Some can't be made so. */
  numbers: Map<string, number>;
}

export async function copySwitched(): Promise<SwitchedCopy> {
  const copy = await copySources();
  const mutants = Object.values(listMutants())
    .flat()
    .map((mutant, number) => ({ ...mutant, number }));
  for (const [file, points] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const path = join(copy.folder, file);
    await writeFile(path, switchOver(await readFile(path, 'utf8'), points));
  }
  const sources = [...Map.groupBy(mutants, ({ file }) => file)].map(([file, [first]]): [string, number] => [
    file,
    first?.number ?? 0,
  ]);
  const numbers = mutants.flatMap(({ id, number, choice }) => (choice ? [[id, number] as const] : []));
  return { ...copy, ids: mutants.map(({ id }) => id), sources, numbers: new Map(numbers) };
}
