import { type Report, type RunOptions, runSimulation } from './run.ts';
import { runDeeds } from './run-deeds.ts';
import { runUndo } from './undo/run-undo.ts';

/** A run of the kind that is asked for. */
export function simulate(options: RunOptions): Promise<Report> {
  const { withDeeds, withUndo } = options;
  if (withUndo) return runUndo({ ...options, only: withUndo === true ? undefined : withUndo });
  return withDeeds ? runDeeds(options) : runSimulation(options);
}
