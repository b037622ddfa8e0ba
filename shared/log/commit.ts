import type { Change } from '#shared/domain/change.ts';
import { writesAt } from '#shared/domain/merge-changes.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { type LogEntry, toItem, voidEntry } from '#shared/store/log-entry.ts';
import { jobIdAt } from '#shared/table/job-keys.ts';
import { keys } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  Throttled,
  TransactionCanceled,
  type Write,
} from '#shared/table/table.ts';
import { copyEntry } from './copies.ts';
import { wakeNotifier } from './push/wake.ts';

/** The state on which a decision rests changed before the decision could be committed. */
export class StaleState extends Error {}

const CONFLICT_RETRIES = 12;
const CONFLICT_PAUSE_MS = 40;
const FRESH_STATE_ATTEMPTS = 20;

/**
 * Makes a change true and returns its position in the log. A change that is one message is one put; any other
 * is one transaction of its writes, its jobs and its entry.
 * @throws StaleState when a condition of the change's writes no longer holds
 */
export async function commit(services: Services, change: Change): Promise<number> {
  const writeId = services.ids.writeId();
  for (;;) {
    const position = await services.table.increment(keys.counter('log'), 'position');
    const entry = toLogEntry(change, position, services.clock.nowMs(), writeId);
    const outcome = await writeEntry(services, entry, change).catch(async (failure) => {
      if (await abandon(services, position, writeId)) throw failure;
      return 'written';
    });
    if (outcome === 'written') {
      await copyEntry(services, entry);
      await publish(services, jobNotices(change, position));
      await wakeNotifier(services, change, position);
      return position;
    }
  }
}

/** Writes state that no client hears of. @throws StaleState */
export async function commitSilently(services: Services, writes: Write[]): Promise<void> {
  const token = services.ids.writeId();
  try {
    await retryConflicts(services, () => services.table.transact(writes, token));
  } catch (failure) {
    if (failure instanceof TransactionCanceled) throw new StaleState();
    throw failure;
  }
}

/** Decides again from freshly loaded state while what was loaded is stale when it is committed. */
export async function withFreshState<Result>(
  services: Services,
  decide: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide();
    } catch (failure) {
      if (!(failure instanceof StaleState)) throw failure;
      if (attempt === FRESH_STATE_ATTEMPTS) throw new Throttled('The state kept changing underneath');
      await services.clock.sleep(attempt * CONFLICT_PAUSE_MS * services.ids.fraction());
    }
  }
}

/** Does what nobody waits for: where somebody else was faster, whoever comes next looks again. */
export async function unlessStale(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (failure) {
    if (!(failure instanceof StaleState)) throw failure;
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

/** The item that holds the position already; any other failure is thrown on. */
function whatStandsAtThePosition(failure: unknown): Item {
  if (failure instanceof ConditionFailed) return failure.existing ?? {};
  if (!(failure instanceof TransactionCanceled)) throw failure;
  const entry = failure.failed.find(({ index }) => index === 0);
  if (!entry && failure.failed.length > 0) throw new StaleState();
  if (!entry) throw failure;
  return entry.existing ?? {};
}

/** Writes again while another transaction is under way on one of the items. */
export async function retryConflicts(services: Services, write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (failure) {
      const isConflict = failure instanceof TransactionCanceled && failure.isConflict;
      if (!isConflict) throw failure;
      if (attempt === CONFLICT_RETRIES) throw new Throttled('A write kept meeting transactions');
      await services.clock.sleep(attempt * CONFLICT_PAUSE_MS * services.ids.fraction());
    }
  }
}

/**
 * Fills a position that will not be used, so that readers need not wait for it. False when the change stands there
 * after all: it was made, and only the reply was lost.
 */
async function abandon(services: Services, position: number, writeId: string): Promise<boolean> {
  const entry = voidEntry(position, services.clock.nowMs(), `${writeId}-abandoned`);
  try {
    await services.table.write({ kind: 'put', item: toItem(entry), condition: { exists: false } });
    await copyEntry(services, entry);
  } catch (failure) {
    // A reader seals what we could not.
    return !(failure instanceof ConditionFailed && failure.existing?.writeId === writeId);
  }
  return true;
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
    return { kind: 'put', item: { ...keys.job(jobId), jobId, type, atMs, payload, steps: new Set(steps) } };
  });
}

/** Best effort: the sweep publishes again what did not arrive. */
async function publish(services: Services, notices: JobNotice[]): Promise<void> {
  if (notices.length === 0) return;
  try {
    await services.bus.publish(notices);
  } catch (failure) {
    logLine('warn', 'Jobs could not be published; the sweep will', describeFailure(failure));
  }
}
