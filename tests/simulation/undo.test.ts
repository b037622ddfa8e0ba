import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { scenarios } from './undo/catalogue.ts';
import { runUndo } from './undo/run-undo.ts';

const FIXED_SEED = 1;
const FRESH_SEED = Math.floor(Math.random() * 2 ** 31);

/** Several runs share the machine with other tests. */
const PATIENCE = { timeout: 120_000 };

beforeEach(() => {
  // The service logs each of the faults.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('Undone changes leave everything as it was, whenever their jobs run', () => {
  for (const { name } of scenarios)
    test.for([FIXED_SEED, FRESH_SEED])(`If ${name}: seed %i`, PATIENCE, async (seed) => {
      const { violations } = await runUndo({ seed, only: [name] });
      expect(violations, `npm run simulate -- --seed ${seed} --only '${name}'`).toEqual([]);
    });
});
