import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log-entry.ts';
import { partitions } from '#shared/table/keys.ts';
import { copyOf, healCopy } from './copies.ts';
import { type Reach, readBlock, readRun } from './read.ts';

/**
 * What is older is read from the log: a message may have been changed or deleted since, of which its copies do not know.
 */
const COPY_USE_MS = 60_000;
/** Another reader has most likely written the rest already. */
const HEALED_AT_ONCE = 20;

/** What one look found in a copy. */
interface Look {
  found: LogEntry[];
  /** What follows without a gap. */
  run: LogEntry[];
}

/**
 * Reads the log for one poll of a queue. Where the tail has copies, it looks into the one that the queue's id falls to,
 * and into the log itself whenever the copy cannot be trusted to be all there is: it has a hole that outlived the grace,
 * it shows what is no longer new, or it showed nothing new for a while.
 */
export class TailReader {
  readonly #services: Services;
  readonly #copy: number;
  /** Nothing that was written before this lacks unseen at the end of the copy. */
  #sureUntilMs = Number.NEGATIVE_INFINITY;
  #isFirst = true;

  constructor(services: Services, queueId: string) {
    this.#services = services;
    this.#copy = copyOf(queueId, services.config.tailCopies);
  }

  /**
   * The entries that follow a position without a gap, in order; empty when there are none yet.
   * @throws LogExpired when entries after the position are gone
   */
  async read(after: number, reach: Reach): Promise<LogEntry[]> {
    if (this.#copy === 0) return readRun(this.#services, after, reach);
    const look = await this.#lookIntoCopy(after, reach);
    return this.#isEnough(look) ? look.run : this.#readLog(after, look.found);
  }

  /** The first look also finds the entry that was read last: if it is new, the copy need not be doubted yet. */
  async #lookIntoCopy(after: number, reach: Reach): Promise<Look> {
    const start = this.#isFirst ? after - 1 : after;
    this.#isFirst = false;
    const all = await readBlock(this.#services.table, start, reach, (block) =>
      partitions.tailBlock(this.#copy, block),
    );
    const found = all.filter(({ position }) => position > after);
    const run = found.filter(({ position }, index) => position === after + 1 + index);
    const newest = run.at(-1) ?? all.find(({ position }) => position === after);
    if (newest) this.#sureUntilMs = Math.max(this.#sureUntilMs, newest.atMs);
    return { found, run };
  }

  #isEnough({ found, run }: Look): boolean {
    const { sealGraceMs, tailCheckIntervalMs } = this.#services.config;
    const behindHole = found[run.length];
    if (behindHole && this.#ageMs(behindHole.atMs) > sealGraceMs) return false;
    const [first] = run;
    if (first) return this.#ageMs(first.atMs) <= COPY_USE_MS;
    return this.#ageMs(this.#sureUntilMs) < tailCheckIntervalMs;
  }

  async #readLog(after: number, found: LogEntry[]): Promise<LogEntry[]> {
    this.#sureUntilMs = this.#services.clock.nowMs();
    const run = await readRun(this.#services, after);
    const lacking = run.filter((entry) => this.#lacks(found, entry));
    await healCopy(this.#services, this.#copy, lacking.slice(0, HEALED_AT_ONCE));
    return run;
  }

  /** Whether the copy should have held the entry. Its writer may still be about to write what comes last. */
  #lacks(found: LogEntry[], { position, atMs }: LogEntry): boolean {
    const end = found.at(-1)?.position ?? 0;
    const ageMs = this.#ageMs(atMs);
    const isDue = position < end || ageMs > this.#services.config.sealGraceMs;
    return isDue && ageMs <= COPY_USE_MS && !found.some((one) => one.position === position);
  }

  #ageMs(atMs: number): number {
    return this.#services.clock.nowMs() - atMs;
  }
}
