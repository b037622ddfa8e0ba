import type { RunOptions } from '#tests/simulation/run.ts';

/** One way in which the source of the service could be broken. The simulation has to notice it. */
export interface Mutant {
  name: string;
  /** The file that is broken, and a text that occurs in it exactly once. */
  file: string;
  find: string;
  replace: string;
  /** The type of run that has to notice it, if the plain one is unrelated. */
  run?: RunKind;
}

export interface RunKind extends Omit<RunOptions, 'seed'> {
  /** People do everything that writes. */
  withActions?: true;
  /** People do things and take them back: those whose names contain one of the texts. */
  withUndo?: string[];
}
