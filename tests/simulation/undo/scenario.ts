import type { OperationName, Params } from '#tests/simulation/actions/action.ts';
import type { Ending, Observation } from './observation.ts';
import type { Stage } from './stage.ts';

/** One request of a scenario. */
export interface Step {
  by: string;
  operation: OperationName;
  /** Parameters that depend on earlier steps are computed when it is the step's turn. */
  params: Params | (() => Promise<Params>);
  /** The longest that the person waits before it. */
  maxPauseMs?: number;
  /** It may come too late. */
  mayBeRefused?: true;
}

/** The steps of a scenario once its stage is set. */
export interface Plan {
  act: Step[];
  /** Undoes the steps before, and may do more. */
  undo: Step[];
  /** It cannot be done twice. */
  isOnce?: true;
  /** Removes permanently lost data, by the protocol, from the comparison. */
  forget?: (observation: Observation) => void;
  /** An additional condition at the end. */
  claims?: (ending: Ending) => string[] | Promise<string[]>;
}

/** Something that people do and take back, while jobs of it are pending, running, or done. */
export interface Scenario {
  name: string;
  /** Sets the stage; nothing goes wrong meanwhile, and every job is done before the first step. */
  prepare: (stage: Stage) => Promise<Plan>;
}

export const step = (by: string, operation: OperationName, params: Step['params'] = {}): Step => ({
  by,
  operation,
  params,
});

/** The complaint of a claim that does not hold. */
export const unless = (holds: boolean | undefined, complaint: string): string[] => (holds ? [] : [complaint]);

/** Whether a person has a message with this content, and has not read it. */
export const isUnreadFor = (seen: Observation, name: string, content: string): boolean =>
  [...(seen.get(name)?.messages.values() ?? [])].some(
    (message) => message.content === content && !message.flags.includes('read'),
  );
