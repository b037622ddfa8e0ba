import { simulate } from '#tests/simulation/simulate.ts';
import type { RunKind } from './mutant.ts';

/** The task of one process of the mutation check, as JSON in its first argument. */
export interface Trial {
  kind: RunKind;
  seeds: number[];
}

/** The report in the last line of its output. */
export interface TrialResult {
  /** How many runs there were: all, or as many as it took to break a promise. */
  runs: number;
  /** Violations of the last run; empty if every run kept every promise. */
  violations: string[];
}

const { kind, seeds } = JSON.parse(process.argv[2] ?? '') as Trial;
// The service logs each of the faults.
process.stderr.write = () => true;
const result: TrialResult = { runs: 0, violations: [] };
for (const seed of seeds) {
  result.violations = (await simulate({ ...kind, seed })).violations;
  result.runs += 1;
  if (result.violations.length > 0) break;
}
console.log(JSON.stringify(result));
