import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { Item } from '#shared/table/table.ts';
import { paceOf } from './pace.ts';
import { type Reach, readRun } from './read.ts';
import { asRead, TailWindow } from './tail-window.ts';

/** Only a crashed writer leaves entries in the next block first, so few looks read there. */
const LOOKS_PER_GLANCE_AHEAD = 4;

const tails = new WeakMap<Services, LogTail>();

/** The end of the log, which all polls read together in a process that holds many. */
export function tailOf(services: Services): LogTail {
  if (!isShared(services)) return new LogTail(services);
  const tail = tails.get(services) ?? new LogTail(services);
  tails.set(services, tail);
  return tail;
}

/** Whether the readers of a process look together. A function holds one poll at a time. */
const isShared = ({ appends }: Services): boolean => appends !== undefined;

/** Until when a reader waits, and what decides how soon it looks. */
interface Wait {
  /** The position of the last entry that the reader has. */
  after: number;
  /** The time of the newest message that its owner got. */
  activeMs: number;
  /** The longest wait. */
  limitMs: number;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** One of the readers of a tail, which wait for entries. */
export interface TailReader {
  /**
   * The entries after a position, in order; empty when there are none yet. Looks at the log, unless another
   * reader has looked while this one waited.
   * @throws LogExpired when entries after the position have expired
   */
  read(after: number): Promise<LogEntry[]>;
  /** Waits until there may be more to read, or the time is over. */
  wait(wait: Wait): Promise<void>;
  end(): void;
}

/**
 * The end of the log in one process. Of the readers that wait, one leads: it looks at the log as often as the
 * most active of them needs, and wakes the others when there is something to read. So a thousand waiting polls
 * look as often as one. An entry that the process itself has written comes without a look.
 */
class LogTail {
  readonly #services: Services;
  readonly #waiting = new Map<Reader, { after: number; wake: () => void }>();
  #window: TailWindow | undefined;
  #leader: Reader | undefined;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Whether the process has written an entry since the last look began. */
  #isBehind = false;
  #looks = 0;
  #lookedAtMs = 0;
  #activeMs = 0;

  constructor(services: Services) {
    this.#services = services;
    services.appends?.on('entry', (_position, item) => this.#take(item));
  }

  /** A new reader. A patient one will wait, and its first read need not look while another reader does. */
  open({ isPatient }: { isPatient: boolean }): TailReader {
    return new Reader(this, isPatient);
  }

  async read(after: number, { isFirst, isPatient, hasFollowed }: ReaderState): Promise<LogEntry[]> {
    const known = this.#findKnown(after);
    if (!known) return this.#readAlone(after);
    const isEnough = isFirst ? isPatient && this.#isWatched() : hasFollowed || known.length > 0;
    if (isEnough) return known;
    await this.#look(isFirst ? 'both' : undefined);
    return this.#findKnown(after) ?? this.#readAlone(after);
  }

  /** Waits; true when another reader looks meanwhile. */
  async wait(reader: Reader, { after, activeMs, limitMs, signal }: Wait): Promise<boolean> {
    const { clock } = this.#services;
    this.#activeMs = Math.max(this.#activeMs, activeMs);
    this.#leader ??= reader;
    const isLeading = this.#leader === reader;
    const known = this.#findKnown(after);
    if (known?.length || (isLeading && this.#isBehind)) return false;
    const untilLookMs = this.#lookedAtMs + this.#intervalMs() - clock.nowMs();
    // A reader that is not at the end looks itself.
    const waitMs = isLeading || !known ? Math.min(limitMs, Math.max(0, untilLookMs)) : limitMs;
    const woken = new AbortController();
    // Without a reason an abort takes a stack trace, and a signal that follows others takes as long as all the rest.
    const wake = () => woken.abort('woken');
    this.#waiting.set(reader, { after, wake });
    if (signal.aborted) wake();
    signal.addEventListener('abort', wake, { once: true });
    await clock.sleep(waitMs, woken.signal);
    signal.removeEventListener('abort', wake);
    this.#waiting.delete(reader);
    return !isLeading;
  }

  /** Another reader leads from now on. */
  end(reader: Reader): void {
    if (this.#leader !== reader && this.#leader !== undefined) return;
    // Without a leader, the one who ends was woken to lead.
    this.#leader = undefined;
    // The reader that began to wait last will wait longest.
    [...this.#waiting.values()].at(-1)?.wake();
  }

  /** Takes an entry that the process has written; a look is needed only if one before it is missing. */
  #take(item: Item): void {
    const entry = asRead(item);
    const end = this.#window?.end ?? Number.NEGATIVE_INFINITY;
    if (entry.position <= end) return;
    if (entry.position === end + 1) {
      this.#window?.add([entry], this.#services.clock.nowMs());
      this.#wakeThoseBefore(entry.position);
    } else {
      this.#isBehind = true;
      if (this.#leader) this.#waiting.get(this.#leader)?.wake();
    }
  }

  /** Whether the leader looks soon. */
  #isWatched(): boolean {
    const ageMs = this.#services.clock.nowMs() - this.#lookedAtMs;
    return this.#leader !== undefined && !this.#isBehind && ageMs < this.#intervalMs();
  }

  /** The entries after a position, if they are known; empty at the end. */
  #findKnown(after: number): LogEntry[] | undefined {
    return this.#window?.covers(after) ? this.#window.after(after) : undefined;
  }

  async #readAlone(after: number): Promise<LogEntry[]> {
    const { clock } = this.#services;
    const run = await readRun(this.#services, after);
    if (after + run.length <= (this.#window?.end ?? -1)) return run;
    this.#window = new TailWindow(after);
    this.#window.add(run, clock.nowMs());
    this.#lookedAtMs = clock.nowMs();
    paceOf(this.#services).note(this.#window.end, this.#lookedAtMs);
    this.#wakeThoseBefore(this.#window.end);
    return run;
  }

  /** Looks once for all readers that wait meanwhile. A look under way may have missed entries written after its start. */
  #look(reach?: Reach): Promise<void> {
    if (!this.#current) return this.#begin(reach);
    if (!this.#isBehind) return this.#current;
    const after = () => {
      this.#next = undefined;
      return this.#begin(reach);
    };
    this.#next ??= this.#current.then(after, after);
    return this.#next;
  }

  #begin(reach?: Reach): Promise<void> {
    const look = this.#lookAhead(reach).finally(() => {
      if (this.#current === look) this.#current = undefined;
    });
    this.#current = look;
    return look;
  }

  async #lookAhead(
    reach: Reach = ++this.#looks % LOOKS_PER_GLANCE_AHEAD === 0 ? 'next' : 'rest',
  ): Promise<void> {
    const window = this.#window;
    if (!window) return;
    this.#isBehind = false;
    this.#lookedAtMs = this.#services.clock.nowMs();
    try {
      const run = await readRun(this.#services, window.end, reach);
      // The process may have written some of them meanwhile.
      const next = run.filter(({ position }) => position > window.end);
      window.add(next, this.#services.clock.nowMs());
      paceOf(this.#services).note(window.end, this.#services.clock.nowMs());
      if (next.length > 0) this.#wakeThoseBefore(window.end);
    } catch (failure) {
      if (this.#window === window) this.#window = undefined;
      throw failure;
    }
  }

  #wakeThoseBefore(end: number): void {
    for (const { after, wake } of this.#waiting.values()) if (after < end) wake();
  }

  /** How long to wait between two looks, by the time since the newest message of a reader, and by the pace of the log. */
  #intervalMs(): number {
    const { clock, config } = this.#services;
    // A writer's clock may be ahead.
    const ageMs = Math.max(0, clock.nowMs() - this.#activeMs);
    const everyMs = config.lookSchedule.findLast(({ fromAgeMs }) => ageMs >= fromAgeMs)?.everyMs ?? 1_000;
    return isShared(this.#services) ? everyMs : Math.max(everyMs, paceOf(this.#services).restMs());
  }
}

interface ReaderState {
  isFirst: boolean;
  isPatient: boolean;
  /** Whether another reader has looked since the last read. */
  hasFollowed: boolean;
}

class Reader implements TailReader {
  readonly #tail: LogTail;
  #state: ReaderState;

  constructor(tail: LogTail, isPatient: boolean) {
    this.#tail = tail;
    this.#state = { isFirst: true, isPatient, hasFollowed: false };
  }

  read(after: number): Promise<LogEntry[]> {
    const state = this.#state;
    this.#state = { ...state, isFirst: false, hasFollowed: false };
    return this.#tail.read(after, state);
  }

  async wait(wait: Wait): Promise<void> {
    const hasFollowed = await this.#tail.wait(this, wait);
    this.#state = { ...this.#state, hasFollowed };
  }

  end(): void {
    this.#tail.end(this);
  }
}
