import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/**
 * Set up for every file where `npm run mutants -- --learn` asks for it: notes which changes of a switched source the file
 * would have come to, in its own process and in those that it starts.
 */
const FOLDER = process.env.MUTANTS_NOTED ?? '';
const own = globalThis as { reached_?: Set<number>; isMade_?: (number: number) => boolean };
own.reached_ ??= new Set();
const reached = own.reached_;
own.isMade_ ??= (number) => {
  reached.add(number);
  return false;
};

const test = relative(process.cwd(), expect.getState().testPath ?? '');
const path = join(FOLDER, test.replaceAll('/', '-'));
let loaded: number[] = [];

mkdirSync(FOLDER, { recursive: true });
// Read by the processes that the file starts.
process.env.MUTANTS_REACHED = `${path}.others`;

beforeAll(() => {
  // What a file does while it is loaded, the files after it in its process don't.
  loaded = [...reached];
  reached.clear();
});

afterAll(() => {
  writeFileSync(`${path}.json`, JSON.stringify({ test, loaded, reached: [...reached] }));
  reached.clear();
});
