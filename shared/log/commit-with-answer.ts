import type { Change } from '#shared/domain/change.ts';
import type { DeclaredError } from '#shared/domain/errors.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Write } from '#shared/table/table.ts';
import { Conflict, commit } from './commit.ts';

/** The progress of a request that takes several transactions, in the operation's own format. */
export type Progress = Record<string, number | number[]>;

/** The outcome of a request after one of its transactions: its answer, or its progress. */
export type Outcome = { fields: object } | { refusal: DeclaredError } | { progress: Progress };

/** A request that its client may repeat with the same key (`docs/decisions/0020-the-api.md`). */
export interface Retry {
  /** The progress of an earlier attempt that never answered. */
  readonly progress: Progress | undefined;
  /** Stores the outcome; fails if another attempt of the same request was faster. */
  write(outcome: Outcome): Write;
  /** Reports that the write has committed. */
  written(outcome: Outcome): void;
  /** Whether another attempt of the same request was faster. */
  isOvertaken(): Promise<boolean>;
}

/** Another attempt of the same request was faster; its outcome must be read first. */
export class Overtaken extends Error {}

/**
 * Commits a change and returns its answer. With a key, both are stored in one transaction, so that a retry
 * gets the same answer and changes nothing.
 * @throws Conflict, Overtaken
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

/** Commits a change and, with a key, stores its outcome. @throws Conflict, Overtaken */
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
    if (failure instanceof Conflict && (await retry.isOvertaken())) throw new Overtaken();
    throw failure;
  }
}
