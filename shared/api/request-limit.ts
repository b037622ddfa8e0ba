import { toSeconds } from '#shared/runtime/clock.ts';
import type { Config } from '#shared/runtime/config.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { addRequests } from '#shared/store/limits/request-counts.ts';

/** The limit that a request counts for, and the name of its counter. */
export interface Subject {
  kind: keyof Config['requestLimits'];
  name: string;
}

/** An account, for its requests of all kinds. */
export const accountSubject = (userId: number): Subject => ({ kind: 'user', name: `user ${userId}` });

/** The agent of an account, which uses a token or the API key. */
export const agentSubject = (userId: number, tokenId?: number): Subject => ({
  kind: 'agent',
  name: `agent ${userId}${tokenId === undefined ? '' : ` token ${tokenId}`}`,
});

/** The network of a caller that names no valid account. */
export const addressSubject = (address: string): Subject => ({
  kind: 'address',
  name: `address ${networkOf(address)}`,
});

/** The larger limit for cheap and frequent requests: files, pictures and unknown paths. */
export const lightly = ({ name }: Subject): Subject => ({ kind: 'light', name: `light ${name}` });

/** The state of a subject's limit, including this request. */
export interface Quota {
  limit: number;
  remaining: number;
  resetAtSeconds: number;
  /** Absent while the request is within the limit. */
  retryAfterSeconds?: number;
}

interface Count {
  /** The total of all functions at the last exchange, plus what this function has reported since. */
  known: number;
  /** Requests that this function has counted but not reported. */
  untold: number;
}

interface Window {
  endSeconds: number;
  counts: Map<string, Count>;
}

/** A function reports its count after each such share of the limit. */
const TOLD_SHARE = 0.05;

/**
 * Counts the requests of one function. Most are counted in memory only; after every twentieth of the limit
 * the function adds its count to a total in the table and reads what others added (`docs/decisions/0019-limits.md`). A
 * request within the limit is never refused.
 */
export class RequestCounter {
  readonly #windows = new Map<Subject['kind'], Window>();

  async count(services: Services, subject: Subject): Promise<Quota> {
    const { requests: limit, windowSeconds } = services.config.requestLimits[subject.kind];
    const nowMs = services.clock.nowMs();
    const endSeconds = (Math.floor(toSeconds(nowMs) / windowSeconds) + 1) * windowSeconds;
    const { kind, name } = subject;
    const count = this.#countOf(kind, endSeconds, name);
    // A caller over the limit costs nothing until the window ends.
    if (count.known + count.untold <= limit) count.untold++;
    // Requests counted while this one waits come after it.
    let used = count.known + count.untold;
    if (count.untold >= limit * TOLD_SHARE)
      used = Math.max(used, await reportCount(services, name, endSeconds, count));
    return {
      limit,
      remaining: Math.max(limit - used, 0),
      resetAtSeconds: endSeconds,
      ...(used > limit && { retryAfterSeconds: Math.ceil(endSeconds * 1000 - nowMs) / 1000 }),
    };
  }

  #countOf(kind: Subject['kind'], endSeconds: number, name: string): Count {
    const last = this.#windows.get(kind);
    const window = last?.endSeconds === endSeconds ? last : { endSeconds, counts: new Map<string, Count>() };
    this.#windows.set(kind, window);
    const { counts } = window;
    const count = counts.get(name) ?? { known: 0, untold: 0 };
    counts.set(name, count);
    return count;
  }
}

/**
 * Reports the count and returns the total of all functions. When the table does not answer, requests are
 * still served and counted here only.
 */
async function reportCount(
  services: Services,
  name: string,
  endSeconds: number,
  count: Count,
): Promise<number> {
  const { untold } = count;
  // Requests that arrive in the meantime are added on top.
  count.known += untold;
  count.untold = 0;
  try {
    const total = await addRequests(services.table, name, endSeconds, untold);
    count.known = Math.max(count.known, total);
    return total;
  } catch (failure) {
    logLine('warn', 'Requests could not be counted', describeFailure(failure));
    return untold;
  }
}

/** The rate-limit headers of every counted request. */
export const quotaHeaders = ({ limit, remaining, resetAtSeconds }: Quota): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetAtSeconds),
});

/** Groups of an IPv6 address that identify the network; a machine may use any address within it. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * The network that requests from an address are counted for: the IPv4 address itself, or the /64 network of
 * an IPv6 address, since a client controls all addresses of its network.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''));
