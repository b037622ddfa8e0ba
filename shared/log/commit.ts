import { type Change, mergeChanges, writesAt } from '#shared/domain/change.ts';
import type { DeclaredError } from '#shared/domain/errors.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { type LogEntry, noOpEntry, toItem } from '#shared/store/log/log-entry.ts';
import { jobIdAt, jobKeys } from '#shared/table/keys/jobs.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import {
  ConditionFailed,
  type Item,
  StorageFull,
  Throttled,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';

/** The state has changed between the decision and its commit. */
export class Conflict extends Error {}

/** A commit failed, but its change may exist, because no answer arrived. Files that the change names must stay. */
export class OutcomeUnknown extends Error {
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.name = 'OutcomeUnknown';
    this.cause = cause;
  }
}

const CONFLICT_RETRIES = 12;
const CONFLICT_PAUSE_MS = 40;
const FRESH_STATE_ATTEMPTS = 20;

/**
 * Commits a change and returns its log position. A change that is one message is one put; any other is one
 * transaction of its writes, jobs and entry.
 * @throws Conflict if the state has changed since the decision
 * @throws OutcomeUnknown if the change may exist although its commit failed
 */
export async function commit(services: Services, change: Change): Promise<number> {
  const writeId = services.ids.writeId();
  for (;;) {
    const position = await services.table.increment(organizationKeys.counter('log'), 'position');
    const entry = toLogEntry(change, position, services.clock.nowMs(), writeId);
    const outcome = await writeEntry(services, entry, change).catch(async (failure) => {
      const fate = await abandon(services, position, writeId);
      if (fate === 'written') return fate;
      throw fate === 'unknown' && !isRefused(failure) ? new OutcomeUnknown(failure) : failure;
    });
    if (outcome === 'written') {
      services.appends?.emit('entry', position, toItem(entry));
      await publish(services, jobNotices(change, position));
      // Without a relay nobody is notified by devices.
      if (services.relay) await (await import('./wake.ts')).wakeNotifier(services, change, position);
      return position;
    }
  }
}

/** Whether a failed change was certainly not made. */
const isRefused = (failure: unknown): boolean =>
  failure instanceof Conflict || failure instanceof StorageFull;

/** Commits writes without events. @throws Conflict, OutcomeUnknown */
export async function commitSilently(services: Services, writes: Write[]): Promise<void> {
  const token = services.ids.writeId();
  try {
    await retryConflicts(services, () => services.table.transact(writes, token));
  } catch (failure) {
    if (failure instanceof TransactionCanceled) throw new Conflict();
    throw failure instanceof Error && !isRefused(failure) ? new OutcomeUnknown(failure) : failure;
  }
}

/** Commits one write without events, at half the price. @throws Conflict */
export async function writeSilently(
  services: Services,
  write: Exclude<Write, { kind: 'check' }>,
): Promise<void> {
  try {
    await retryConflicts(services, () => services.table.write(write));
  } catch (failure) {
    throw failure instanceof ConditionFailed ? new Conflict() : failure;
  }
}

/** Repeats a decision with freshly loaded state as long as its commit finds the state changed. */
export async function withFreshState<Result>(
  services: Services,
  decide: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide();
    } catch (failure) {
      if (!(failure instanceof Conflict)) throw failure;
      if (attempt === FRESH_STATE_ATTEMPTS) throw new Throttled('The state kept changing');
      await services.clock.sleep(attempt * CONFLICT_PAUSE_MS * services.ids.fraction());
    }
  }
}

/** Best effort: false after a conflict, which is ignored, because a later run repeats the work. */
export async function unlessConflict(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (failure) {
    if (!(failure instanceof Conflict)) throw failure;
    return false;
  }
}

async function writeEntry(services: Services, entry: LogEntry, change: Change): Promise<'written' | 'taken'> {
  const { position, writeId, atMs } = entry;
  const put = { kind: 'put', item: toItem(entry), condition: { exists: false } } as const;
  const others = [...writesAt(change, position), ...jobWrites(change, position, atMs)];
  try {
    if (others.length === 0) await services.table.write(put);
    else
      await retryConflicts(services, () =>
        services.table.transact([put, ...others], `${writeId}-${position}`),
      );
    return 'written';
  } catch (failure) {
    const existing = whatStandsAtThePosition(failure);
    return existing.writeId === writeId ? 'written' : 'taken';
  }
}

/** The item that already occupies the position; other failures are rethrown. */
function whatStandsAtThePosition(failure: unknown): Item {
  if (failure instanceof ConditionFailed) return failure.existing ?? {};
  if (!(failure instanceof TransactionCanceled)) throw failure;
  const entry = failure.failed.find(({ index }) => index === 0);
  if (!entry && failure.failed.length > 0) throw new Conflict();
  if (!entry) throw failure;
  return entry.existing ?? {};
}

/** Retries a write while another transaction holds one of its items. */
export async function retryConflicts(services: Services, write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (failure) {
      const isConflict = failure instanceof TransactionCanceled && failure.isConflict;
      if (!isConflict) throw failure;
      if (attempt === CONFLICT_RETRIES) throw new Throttled('A write kept meeting others');
      await services.clock.sleep(attempt * CONFLICT_PAUSE_MS * services.ids.fraction());
    }
  }
}

/**
 * Fills an unused position so that readers need not wait for it. The change is there after all where only the reply
 * was lost.
 */
async function abandon(
  services: Services,
  position: number,
  writeId: string,
): Promise<'abandoned' | 'written' | 'unknown'> {
  const entry = noOpEntry(position, services.clock.nowMs(), `${writeId}-abandoned`);
  try {
    await services.table.write({ kind: 'put', item: toItem(entry), condition: { exists: false } });
  } catch (failure) {
    // If this fails, a reader seals the position.
    if (!(failure instanceof ConditionFailed)) return 'unknown';
    return failure.existing?.writeId === writeId ? 'written' : 'abandoned';
  }
  return 'abandoned';
}

function toLogEntry(change: Change, position: number, atMs: number, writeId: string): LogEntry {
  const { events = [], message } = change;
  return { position, atMs, writeId, events, ...(message && { message }) };
}

const jobNotices = ({ jobs = [] }: Change, position: number): JobNotice[] =>
  jobs.map(({ type }, n) => ({ jobId: jobIdAt(position, n), type }));

function jobWrites(change: Change, position: number, atMs: number): Write[] {
  const notices = jobNotices(change, position);
  return (change.jobs ?? []).map(({ type, payload, steps }, n) => {
    const jobId = notices[n]?.jobId ?? '';
    return {
      kind: 'put',
      item: { ...jobKeys.job(jobId), jobId, type, atMs, payload, steps: new Set(steps) },
    };
  });
}

/** Best effort: the sweep republishes lost notices. */
async function publish(services: Services, notices: JobNotice[]): Promise<void> {
  if (notices.length === 0) return;
  try {
    await services.bus.publish(notices);
  } catch (failure) {
    logLine('warn', 'Jobs could not be published; the sweep will', describeFailure(failure));
  }
}

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
