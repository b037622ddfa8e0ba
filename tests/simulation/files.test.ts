import { expect, test } from 'vitest';
import { SimulatedFiles } from './services/simulated-files.ts';
import { Simulation } from './simulation.ts';

test('A removal takes a turn only if there is something to remove, so that a clean-up may guess names', async () => {
  const simulation = new Simulation({ seed: 1 });
  const store = new SimulatedFiles(simulation);
  const files = store.for(simulation.open('clean-up', true));
  const stepsOf = async (act: Promise<void>) => {
    const before = simulation.steps;
    await simulation.run(act);
    return simulation.steps - before;
  };
  expect(await stepsOf(files.remove('part-1'))).toBe(0);
  expect(store.contents).toEqual([]);
  await stepsOf(files.put('part-1', new Uint8Array([1])));
  expect(await stepsOf(files.remove('part-1'))).toBeGreaterThan(0);
  expect(await stepsOf(files.remove('part-1'))).toBe(0);
  expect(store.find('part-1')).toBeUndefined();
});
