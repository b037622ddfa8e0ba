import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

/**
 * Set up for every file where `npm run mutants -- --learn` asks for it: notes which functions of the product the file runs
 * in its own process, by their names.
 */
const FOLDER = process.env.FUNCTIONS_RUN ?? '';
const PROJECT = process.cwd();
const OF_THE_PRODUCT = /^(?:functions|shared|infra|web)\//;
const session = new Session();

// A file may run functions while it says which tests it has.
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const run = result
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url, functions }) => ({
      file: relative(PROJECT, fileURLToPath(url)),
      names: functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0)).map(toName),
    }))
    .filter(({ file }) => OF_THE_PRODUCT.test(file));
  const test = relative(PROJECT, expect.getState().testPath ?? '');
  mkdirSync(FOLDER, { recursive: true });
  const functions = Object.fromEntries(run.map(({ file, names }) => [file, [...new Set(names)]]));
  writeFileSync(join(FOLDER, `${test.replaceAll('/', '-')}.json`), JSON.stringify({ test, functions }));
});

const toName = ({ functionName }: { functionName: string }): string =>
  functionName.replace(/^(?:get|set) /, '').replace(/^.*\./, '');
