import { toSeconds } from '#shared/runtime/clock.ts';
import type { Config } from '#shared/runtime/config.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { addRequests } from '#shared/store/request-counts.ts';
import { networkOf } from './network-address.ts';

/** For which limit a request is counted, and under which name. */
export interface Subject {
  kind: keyof Config['requestLimits'];
  name: string;
}

/** An account, for its requests of all kinds. */
export const accountSubject = (userId: number): Subject => ({ kind: 'user', name: `user ${userId}` });

/** The network that a request comes from, where it names no account or names one wrongly. */
export const addressSubject = (address: string): Subject => ({
  kind: 'address',
  name: `address ${networkOf(address)}`,
});

/** The same for what is asked for often and costs little: files, pictures, and what does not exist. */
export const lightly = ({ name }: Subject): Subject => ({ kind: 'light', name: `light ${name}` });

/** How a subject stands towards its limit, this request included. */
export interface Quota {
  limit: number;
  remaining: number;
  resetAtSeconds: number;
  /** Absent while the request is within the limit. */
  retryAfterSeconds?: number;
}

interface Count {
  /** What all functions together had counted when this one last looked, and what it has told them since. */
  known: number;
  /** What this function counted and has told nobody. */
  untold: number;
}

interface Window {
  endSeconds: number;
  counts: Map<string, Count>;
}

/** A function tells the others of its requests each time it has counted this share of the limit. */
const TOLD_SHARE = 1 / 20;

/**
 * Counts the requests that one function gets. Most are counted in its memory alone; after every twentieth of the
 * limit it adds what it counted to a total in the table and learns what other functions added
 * (`docs/decisions/0015`). Never refuses what is within the limit.
 */
export class RequestCounter {
  readonly #windows: Record<Subject['kind'], Window> = {
    user: { endSeconds: 0, counts: new Map() },
    address: { endSeconds: 0, counts: new Map() },
    light: { endSeconds: 0, counts: new Map() },
  };

  async count(services: Services, subject: Subject): Promise<Quota> {
    const { requests: limit, windowSeconds } = services.config.requestLimits[subject.kind];
    const nowMs = services.clock.nowMs();
    const endSeconds = (Math.floor(toSeconds(nowMs) / windowSeconds) + 1) * windowSeconds;
    const { kind, name } = subject;
    const count = this.#countOf(kind, endSeconds, name);
    // Whoever is over the limit costs nothing until the window ends.
    if (count.known + count.untold <= limit) count.untold++;
    // What others count while this request waits comes after it.
    let used = count.known + count.untold;
    if (count.untold >= limit * TOLD_SHARE)
      used = Math.max(used, await tell(services, name, endSeconds, count));
    return {
      limit,
      remaining: Math.max(limit - used, 0),
      resetAtSeconds: endSeconds,
      ...(used > limit && { retryAfterSeconds: Math.ceil(endSeconds * 1000 - nowMs) / 1000 }),
    };
  }

  #countOf(kind: Subject['kind'], endSeconds: number, name: string): Count {
    if (this.#windows[kind].endSeconds !== endSeconds)
      this.#windows[kind] = { endSeconds, counts: new Map() };
    const { counts } = this.#windows[kind];
    const count = counts.get(name) ?? { known: 0, untold: 0 };
    counts.set(name, count);
    return count;
  }
}

/**
 * Tells the other functions and returns what all have counted. Where the table does not answer, requests go on and
 * are counted here alone.
 */
async function tell(services: Services, name: string, endSeconds: number, count: Count): Promise<number> {
  const { untold } = count;
  // Requests that come meanwhile are counted on top.
  count.known += untold;
  count.untold = 0;
  try {
    const total = await addRequests(services.table, name, endSeconds, untold);
    count.known = Math.max(count.known, total);
    return total;
  } catch (failure) {
    logLine('warn', 'Requests could not be counted', describeFailure(failure));
    return 0;
  }
}

/** The headers by which every counted request is answered. */
export const quotaHeaders = ({ limit, remaining, resetAtSeconds }: Quota): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetAtSeconds),
});
