import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { OperationName, Params } from '#tests/simulation/actions/action.ts';
import { CHANNEL_LISTS } from '#tests/simulation/people/forgetting.ts';
import type { Ending, Observation, View } from './observation.ts';
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
  /** Removes permanently lost data, by the protocol, from the comparison of a person's view. */
  forget?: (view: View, name: string) => void;
  /** An additional condition at the end. */
  claims?: (ending: Ending) => string[] | Promise<string[]>;
}

/** Something that people do and take back, while jobs of it are pending, running, or done. */
export interface Scenario {
  name: string;
  /** Sets the stage; nothing goes wrong meanwhile, and every job is done before the first step. */
  prepare: (stage: Stage) => Plan | Promise<Plan>;
}

export const step = (by: string, operation: OperationName, params: Step['params'] = {}): Step => ({
  by,
  operation,
  params,
});

/** The two steps that deactivate an account and reactivate it. */
export const absence = (stage: Stage, name: string, by = 'Ada'): [Step, Step] => [
  step(by, 'deactivateUser', stage.target(name)),
  step(by, 'reactivateUser', stage.target(name)),
];

/** The complaint of a claim that does not hold. */
export const unless = (holds: boolean | undefined, complaint: string): string[] => (holds ? [] : [complaint]);

/** Whether a person has a message with this content, and has not read it. */
export const isUnreadFor = (seen: Observation, name: string, content: string): boolean =>
  [...(seen.get(name)?.messages.values() ?? [])].some(
    (message) => message.content === content && !message.flags.includes('read'),
  );

/** The channels that a snapshot has, in whichever list. */
export const channelsIn = (snapshot: SnapshotData): SnapshotData[] =>
  CHANNEL_LISTS.flatMap((list) => snapshot[list] ?? []);

/** Empties lists of a snapshot. */
export const forgetLists =
  (...names: string[]) =>
  ({ snapshot }: View): void => {
    for (const name of names) snapshot[name] = [];
  };

/** Messages of others decide these claims: neither they nor the first message of a channel are compared. */
export function forgetMessages(
  { snapshot, messages }: View,
  stay: (id: number) => boolean = () => false,
): void {
  for (const id of messages.keys()) if (!stay(id)) messages.delete(id);
  for (const channel of channelsIn(snapshot)) channel.first_message_id = null;
}
