import { expect, inject, test } from 'vitest';
import { runSimulation } from './run.ts';

test.each([1, 2, 3])('seed %i', async (seed) => {
  const t = Date.now();
  const report = await runSimulation({ endpoint: inject('dynamodbEndpoint'), seed });
  console.log(seed, report.steps, Date.now() - t);
  expect(report.violations).toEqual([]);
});
