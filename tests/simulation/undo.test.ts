import { describe, expect, test } from 'vitest';
import { freshSeed, PATIENCE, silenceFaults } from './test-runs.ts';
import { scenarios } from './undo/catalogue.ts';
import { runUndo } from './undo/run-undo.ts';

const FIXED_SEED = 1;
const FRESH_SEED = freshSeed();

silenceFaults();

describe('Undone changes leave everything as it was, whenever their jobs run', () => {
  for (const { name } of scenarios)
    test.for([FIXED_SEED, FRESH_SEED])(`If ${name}: seed %i`, PATIENCE, async (seed) => {
      const { violations } = await runUndo({ seed, only: [name] });
      expect(violations, `npm run simulate -- --seed ${seed} --only '${name}'`).toEqual([]);
    });
});
