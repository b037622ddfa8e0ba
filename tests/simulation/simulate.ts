import { runActions } from './actions/run-actions.ts';
import { type Report, type RunOptions, runSimulation } from './run.ts';
import { runUndo } from './undo/run-undo.ts';

/** A run of the kind that is asked for. */
export function simulate(options: RunOptions): Promise<Report> {
  const { withActions, withUndo } = options;
  if (withUndo) return runUndo({ ...options, only: withUndo === true ? undefined : withUndo });
  return withActions ? runActions(options) : runSimulation(options);
}
