import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { type Condition, ConditionFailed, type Item } from '#shared/table/table.ts';
import { retryConflicts } from './commit.ts';
import { readHead } from './head.ts';
import { LogExpired, readRun } from './read.ts';

/** A crashed worker blocks the others for this long. */
export const CLAIM_MS = 10_000;
/** So often a worker that is at work says so. */
const RENEWAL_MS = CLAIM_MS / 3;
/** The longest run of a worker, while the log grows or the worker stays. The next wake-up may start another process. */
const LONGEST_MS = 60_000;
/** A worker that stays ends when the log has not grown for so long. */
const IDLE_MS = 15_000;
/** A wake-up may arrive before the entry is readable. */
const PATIENCE = { attempts: 8, pauseMs: 200 };

/** The right to work on the entries after a log position. */
export interface Claim {
  claimId: string;
  position: number;
}

/** The place of a worker in the log, of which one at a time has the claim. */
export interface Place {
  /** Undefined when there is nothing to work for. */
  claim(): Promise<Claim | 'taken' | undefined>;
  /**
   * Records that the entries up to here are done, and if they are the last ones, lets the next worker start. False
   * when another worker has taken over.
   */
  advance(claim: Claim, position: number, isLast: boolean): Promise<boolean>;
  /** Keeps other workers off for longer. False when another worker has taken over. */
  renew(claim: Claim): Promise<boolean>;
  /** Whether something is to be done that earlier work has left, although no entry follows. */
  owes?(): boolean;
  /** Lets the next worker start at once. */
  release(claim: Claim): Promise<unknown>;
}

/** A worker's processing of the entries: at least once for each of them, in order. */
interface Following {
  /** The log has at least this position. */
  upTo: number;
  entriesAtOnce: number;
  /** @param after the position before them */
  take(entries: LogEntry[], after: number): Promise<void>;
  /** Of a worker that stays while the log grows, and keeps its claim: the least time between two runs. */
  restMs?: number | undefined;
}

/**
 * Does the work for new log entries, unless another worker does. Work that was not recorded is repeated. Returns
 * false if it could not reach the given position: the other worker may have crashed, or an entry before that is
 * still missing.
 */
export async function followLog(services: Services, place: Place, following: Following): Promise<boolean> {
  const endMs = services.clock.nowMs() + LONGEST_MS;
  for (;;) {
    const claim = await place.claim();
    if (!claim) return true;
    if (claim === 'taken') return false;
    let isReleased = false;
    try {
      isReleased = await work(services, place, claim, following);
    } finally {
      if (!isReleased) await place.release(claim);
    }
    // Checks again for entries whose worker gave up because this one held the claim.
    const isDone = (await readRun(services, claim.position)).length === 0;
    const isOver = following.restMs !== undefined || services.clock.nowMs() >= endMs;
    if (isDone || (isOver && claim.position >= following.upTo)) return claim.position >= following.upTo;
  }
}

/** Returns whether the claim has ended. */
async function work(services: Services, place: Place, claim: Claim, following: Following): Promise<boolean> {
  const { upTo, entriesAtOnce } = following;
  const stays = following.restMs !== undefined;
  for (let attempt = 1; attempt <= PATIENCE.attempts; ) {
    const entries = (await readNext(services, place, claim)).slice(0, entriesAtOnce);
    const isAll = entries.length < entriesAtOnce;
    const done = await run(services, place, claim, following, entries, isAll && !stays);
    if (done === 'ended') return true;
    if (stays && isAll && claim.position >= upTo) return stay(services, place, claim, following);
    if (done === 'done') continue;
    if (claim.position >= upTo) return false;
    await services.clock.sleep(PATIENCE.pauseMs);
    attempt++;
  }
  return false;
}

/** One run, if there is anything to do. Returns whether the claim has ended. */
async function run(
  services: Services,
  place: Place,
  claim: Claim,
  { upTo, take }: Following,
  entries: LogEntry[],
  mayEnd: boolean,
): Promise<'ended' | 'done' | undefined> {
  const end = entries.at(-1)?.position ?? (place.owes?.() ? claim.position : undefined);
  if (end === undefined) return undefined;
  await renewing(services, place, claim, () => take(entries, claim.position));
  claim.position = end;
  const isLast = mayEnd && end >= upTo;
  const isOurs = await place.advance(claim, end, isLast);
  return !isOurs || isLast ? 'ended' : 'done';
}

/** Continues for a while with later entries, one run after each rest. Returns whether the claim has ended. */
async function stay(services: Services, place: Place, claim: Claim, following: Following): Promise<boolean> {
  const { clock } = services;
  const { restMs = 0, entriesAtOnce } = following;
  const endMs = clock.nowMs() + LONGEST_MS;
  let idleFromMs = clock.nowMs();
  let renewedAtMs = clock.nowMs();
  for (let beganAtMs = clock.nowMs(); ; ) {
    const nowMs = clock.nowMs();
    if (nowMs >= endMs || nowMs - idleFromMs >= IDLE_MS) return false;
    await clock.sleep(Math.max(0, beganAtMs + restMs - nowMs));
    beganAtMs = clock.nowMs();
    const entries = (await readNext(services, place, claim)).slice(0, entriesAtOnce);
    const done = await run(services, place, claim, following, entries, false);
    if (done === 'ended') return true;
    if (entries.length > 0) idleFromMs = clock.nowMs();
    if (done === 'done') renewedAtMs = clock.nowMs();
    else if (clock.nowMs() - renewedAtMs >= RENEWAL_MS) {
      if (!(await place.renew(claim))) return true;
      renewedAtMs = clock.nowMs();
    }
  }
}

/** Renews a claim while the work takes. One that cannot be renewed ends, and the work is repeated by another worker. */
async function renewing(
  { clock }: Services,
  place: Place,
  claim: Claim,
  work: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const renew = async (): Promise<void> => {
    for (let isOurs = true; isOurs; ) {
      await clock.sleep(RENEWAL_MS, over.signal);
      if (over.signal.aborted) return;
      isOurs = await place.renew(claim).catch(() => true);
    }
  };
  const ended = renew();
  try {
    await work();
  } finally {
    over.abort();
    await ended;
  }
}

/** The next entries; expired ones need no work. */
async function readNext(services: Services, place: Place, claim: Claim): Promise<LogEntry[]> {
  try {
    return await readRun(services, claim.position);
  } catch (failure) {
    if (!(failure instanceof LogExpired)) throw failure;
    claim.position = (await readHead(services)).position;
    await place.advance(claim, claim.position, false);
    return [];
  }
}

/** The state of a place that is an item of the table. */
export interface PlaceState {
  position: number;
  claimedUntilMs: number;
}

export const toPlaceState = (item: Item | undefined): PlaceState => ({
  position: Number(item?.position ?? 0),
  claimedUntilMs: Number(item?.claimedUntilMs ?? 0),
});

/** Claims a place in its present state for one worker. */
export async function claimPlace(
  services: Services,
  key: Key,
  { position, claimedUntilMs }: PlaceState,
): Promise<Claim | 'taken'> {
  const nowMs = services.clock.nowMs();
  if (claimedUntilMs > nowMs) return 'taken';
  const claimId = services.ids.writeId();
  // Another worker may have finished since the state was read; the position would then be outdated.
  const isOurs = await update(
    services,
    key,
    { claimId, claimedUntilMs: nowMs + CLAIM_MS },
    {
      ...(claimedUntilMs === 0 && { belowOrAbsent: { claimedUntilMs: 1 } }),
      equals: { ...(claimedUntilMs > 0 && { claimedUntilMs }), ...(position > 0 && { position }) },
    },
  );
  return isOurs ? { claimId, position } : 'taken';
}

export const advancePlace = (
  services: Services,
  key: Key,
  { claimId }: Claim,
  position: number,
  isLast: boolean,
  more: Item = {},
): Promise<boolean> => {
  const claimedUntilMs = isLast ? 0 : services.clock.nowMs() + CLAIM_MS;
  return update(services, key, { position, claimedUntilMs, ...more }, { equals: { claimId } });
};

export const renewPlace = (services: Services, key: Key, { claimId }: Claim): Promise<boolean> => {
  const claimedUntilMs = services.clock.nowMs() + CLAIM_MS;
  return update(services, key, { claimedUntilMs }, { equals: { claimId }, above: { claimedUntilMs: 0 } });
};

export const releasePlace = (services: Services, key: Key, { claimId }: Claim): Promise<boolean> =>
  update(services, key, { claimedUntilMs: 0 }, { equals: { claimId } });

async function update(services: Services, key: Key, set: Item, condition: Condition): Promise<boolean> {
  try {
    const write = { kind: 'update', key, set, condition } as const;
    await retryConflicts(services, () => services.table.write(write));
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return false;
    throw failure;
  }
}
