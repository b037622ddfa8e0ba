import type { Change } from '#shared/domain/change.ts';
import type { DeclaredError } from '#shared/domain/errors.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Write } from '#shared/table/table.ts';
import { commit, StaleState } from './commit.ts';

/** How far a request has come that takes several transactions; what it means is the operation's own. */
export type Progress = Record<string, number | number[]>;

/** What is known of a request after one of its transactions: what it answers, or how far it has come. */
export type Outcome = { fields: object } | { refusal: DeclaredError } | { progress: Progress };

/** A request that its client may send again under the same key (`docs/decisions/0045-idempotency-keys.md`). */
export interface Retry {
  /** How far an earlier attempt came that never answered. */
  readonly progress: Progress | undefined;
  /** Keeps the outcome. It fails where another attempt of the same request was faster. */
  write(outcome: Outcome): Write;
  /** The write is done. */
  written(outcome: Outcome): void;
  /** Whether another attempt of the same request has been faster. */
  isOvertaken(): Promise<boolean>;
}

/** Another attempt of the same request was faster: what it did is to be looked at before anything else. */
export class Overtaken extends Error {}

/**
 * Makes a change true and returns the answer to it. With a key, both are kept in one transaction, so that a retry gets
 * the same answer and changes nothing. @throws StaleState, Overtaken
 */
export async function commitWithAnswer<Answer extends object>(
  services: Services,
  retry: Retry | undefined,
  change: Change,
  answer: Answer | ((position: number) => Answer),
): Promise<Answer> {
  const answerAt = typeof answer === 'function' ? answer : () => answer;
  const position = await commitOutcome(services, retry, change, (at) => ({ fields: answerAt(at) }));
  return answerAt(position);
}

/** Makes a change true and, with a key, keeps its outcome with it. @throws StaleState, Overtaken */
export async function commitOutcome(
  services: Services,
  retry: Retry | undefined,
  change: Change,
  outcomeAt: (position: number) => Outcome,
): Promise<number> {
  if (!retry) return commit(services, change);
  const keyed = mergeChanges(change, { writes: (position) => [retry.write(outcomeAt(position))] });
  try {
    const position = await commit(services, keyed);
    retry.written(outcomeAt(position));
    return position;
  } catch (failure) {
    if (failure instanceof StaleState && (await retry.isOvertaken())) throw new Overtaken();
    throw failure;
  }
}
