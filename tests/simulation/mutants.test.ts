import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutants } from './mutants/mutants.ts';
import { mutate } from './mutants/mutation-check.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

describe('Each mutant of the mutation check', () => {
  test.for(mutants)('Still matches the sources: $name', async (mutant) => {
    const source = await readFile(join(PROJECT, mutant.file), 'utf8');
    expect(mutate(source, mutant)).not.toBe(source);
  });

  test('Has a name of its own', () => {
    const names = mutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('A mutant that no longer matches the sources', () => {
  const gone = { name: 'gone', file: 'somewhere.ts', find: 'once', replace: 'never' };

  test.for(['not here', 'once and once again'])('Causes an error: %s', (source) => {
    expect(() => mutate(source, gone)).toThrow('the mutant "gone"');
  });
});
