import { DeclaredError } from '#shared/domain/errors.ts';
import type { Connection, ConnectionPart, Connections } from '#shared/domain/sockets/connection.ts';
import { restMsOf } from '#shared/domain/sockets/parts.ts';
import { followLog } from '#shared/log/follow.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { PartWork, Services, Sockets } from '#shared/runtime/services.ts';
import { listEntries } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { isClosed } from '#shared/store/organization/organization.ts';
import { Observer } from '../observer.ts';
import type { ObservedEntry } from '../reply-page.ts';
import {
  type Behind,
  connectionsOf,
  endConnection,
  type PusherPlace,
  progressOf,
  pusherPlace,
} from './connections.ts';
import { closedText, eventTexts, POLL_TEXT } from './frames.ts';
import { mayWait } from './may-wait.ts';
import { getOwner } from './right.ts';

const ENTRIES_AT_ONCE = 100;
/** How often a connection that cannot be closed is tried again, and after which time. */
const LOST = { attempts: 5, pauseMs: 1_000 };
/** After this time the owner's account is read again. */
const MAX_READER_AGE_MS = 60_000;
/** So many connections may be behind the others: each takes some 25 bytes of each write of the place. */
const MAX_BEHIND = 1_000;

/** A pusher that was started elsewhere and is not at work after this time is started again. */
const START_MS = 3_000;

/**
 * Pushes new log entries to all open connections, at least up to a position. Each connection
 * gets each of its events at least once and in order, or ends: the pusher moves on only then. Deferrable events are sent
 * with urgent ones, or by a run that is for all. Returns false if the log may not be pushed so far yet, because
 * another pusher is at work, or an entry is missing.
 *
 * A connection belongs to one part for as long as it lives. One part is pushed to here; of several, each has a pusher
 * elsewhere, which stays while the log grows, and this only starts those that are missing.
 */
export async function pushEvents(services: Services, upTo: number, isForAll = false): Promise<boolean> {
  const { sockets } = services;
  if (!sockets) return true;
  // Looked up after the entry was written: a part that comes into use later has only connections that find it.
  const parts = await connectionsOf(services, sockets).parts();
  const works = parts.map((part): PartWork => ({ part, upTo, isForAll }));
  const areElsewhere = parts.length > 1 && sockets.pushElsewhere !== undefined;
  const restMs = restMsOf(sum(parts.map(({ count }) => count)));
  const areDone = await Promise.all(
    works.map((work) =>
      areElsewhere ? ensurePushed(services, sockets, { ...work, restMs }) : pushToPart(services, work),
    ),
  );
  return areDone.every(Boolean);
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Pushes to the connections of a part, like `pushEvents`. */
export async function pushToPart(services: Services, work: PartWork): Promise<boolean> {
  const { sockets } = services;
  if (!sockets) return true;
  const pusher = pusherOf(services, sockets, work.part);
  const place = pusherPlace(services, sockets, work);
  const { upTo, restMs } = work;
  const take = (entries: LogEntry[], after: number) => pusher.push(entries, after, place);
  const isDone = await followLog(services, place, { upTo, entriesAtOnce: ENTRIES_AT_ONCE, take, restMs });
  await pusher.endLost();
  return isDone;
}

/** Whether a part has everything. Otherwise its pusher is started, unless it is at work or was started a moment ago. */
async function ensurePushed(services: Services, sockets: Sockets, work: PartWork): Promise<boolean> {
  const progress = await progressOf(services, work);
  if (progress === 'behind') {
    const nowMs = services.clock.nowMs();
    const started = startedAtMs.get(sockets) ?? new Map<number, number>();
    startedAtMs.set(sockets, started);
    if (nowMs - (started.get(work.part.number) ?? -Infinity) >= START_MS) {
      started.set(work.part.number, nowMs);
      await sockets.pushElsewhere?.(work);
    }
  }
  return progress === 'pushed';
}

const startedAtMs = new WeakMap<Sockets, Map<number, number>>();

/** The parts whose connections a process remembers: Lambda gives it now this one, now that one. */
const MAX_REMEMBERED = 3;
const pushers = new WeakMap<Sockets, Map<number, Pusher>>();

function pusherOf(services: Services, sockets: Sockets, { number, count }: ConnectionPart): Pusher {
  const known = pushers.get(sockets) ?? new Map<number, Pusher>();
  pushers.set(sockets, known);
  const pusher = known.get(number) ?? new Pusher(services, sockets, number);
  pusher.noted = count;
  known.delete(number);
  known.set(number, pusher);
  const [oldest] = known.keys();
  if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
  return pusher;
}

/** A connection's view of the log, as long as it follows it entry by entry. */
interface Reader {
  observer: Observer;
  position: number;
  openedAtMs: number;
  /** The entries that the connection had not received before the last run. */
  untold: ObservedEntry[];
}

/** The entries after a position for all connections, and who is behind before and after them. */
interface Run {
  position: number;
  entries: LogEntry[];
  wasBehind: Behind;
  behind: Behind;
  isForAll: boolean;
  /** The earlier entries that connections behind the others may lack. */
  readOlder(): Promise<LogEntry[]>;
}

class Pusher {
  readonly #services: Services;
  readonly #sockets: Sockets;
  readonly #connections: Connections;
  #readers = new Map<string, Reader>();
  /** Whether some connection has missed events and could not be closed. */
  #hasLost = false;
  readonly #part: number;
  /** The noted size of the part. */
  noted = 0;

  constructor(services: Services, sockets: Sockets, part: number) {
    this.#part = part;
    this.#services = services;
    this.#sockets = sockets;
    this.#connections = connectionsOf(services, sockets);
  }

  async push(entries: LogEntry[], position: number, place: PusherPlace): Promise<void> {
    // Listed after the entries were read: who opens a socket later finds these entries.
    const all = await this.#connections.list(this.#part);
    this.noted = await this.#connections.correct({ number: this.#part, count: this.noted }, all.length);
    const isClosing = all.length > 0 && (await isClosed(this.#services));
    const known = this.#readers;
    this.#readers = new Map();
    const run = this.#runAfter(position, entries, place);
    await mapConcurrently(all, async (connection) => {
      const reader = isClosing ? undefined : known.get(connection.connectionId);
      await this.#push(connection, run, reader);
    });
    place.behind = run.behind;
  }

  #runAfter(position: number, entries: LogEntry[], { behind, isForAll }: PusherPlace): Run {
    let older: Promise<LogEntry[]> | undefined;
    const first = Math.min(...Object.values(behind)) + 1;
    const readOlder = () => (older ??= listEntries(this.#services.table, first, position));
    return { position, entries, wasBehind: behind, behind: {}, isForAll, readOlder };
  }

  /** Closes what could not be closed before. What cannot be closed now is tried with the next entries. */
  async endLost(): Promise<void> {
    for (let attempt = 1; this.#hasLost && attempt <= LOST.attempts; attempt++) {
      await this.#services.clock.sleep(LOST.pauseMs);
      this.#hasLost = false;
      const lost = (await this.#connections.list(this.#part)).filter(({ isLost }) => isLost);
      await mapConcurrently(lost, (connection) => this.#end(connection));
    }
  }

  async #push(connection: Connection, run: Run, reader: Reader | undefined): Promise<void> {
    if (connection.isLost) return this.#end(connection);
    const { texts, isEnd } = await this.#textsFor(connection, run, reader);
    for (const text of texts) {
      const posted = await this.#sockets.post(connection.connectionId, text);
      if (posted !== 'sent') return this.#end(connection);
    }
    if (isEnd) await this.#end(connection);
  }

  async #end(connection: Connection): Promise<void> {
    if (!(await endConnection(this.#sockets, this.#connections, connection))) this.#hasLost = true;
  }

  async #textsFor(
    connection: Connection,
    run: Run,
    reader: Reader | undefined,
  ): Promise<{ texts: string[]; isEnd?: true }> {
    try {
      const { untold } = await this.#observe(connection, run, reader);
      if (isLeftBehind(connection, run, untold)) return { texts: [] };
      const texts = eventTexts(untold);
      return texts ? { texts } : { texts: [POLL_TEXT], isEnd: true };
    } catch (failure) {
      if (!(failure instanceof DeclaredError)) throw failure;
      return { texts: [closedText(failure)], isEnd: true };
    }
  }

  /** A connection's view of the log after a run. */
  async #observe(connection: Connection, run: Run, known: Reader | undefined): Promise<Reader> {
    const { connectionId, fromPosition } = connection;
    const { position, entries, wasBehind, readOlder } = run;
    const minOpenedAtMs = this.#services.clock.nowMs() - MAX_READER_AGE_MS;
    const follows = known?.position === position && known.openedAtMs > minOpenedAtMs;
    const pushedTo = wasBehind[connectionId];
    const older = follows || pushedTo === undefined ? [] : await readOlder();
    const from = Math.max(fromPosition, pushedTo ?? position);
    const reader = follows ? known : await this.#newReader(connection);
    // An earlier run may have sent them, or another process since.
    reader.untold = reader.untold.filter(({ entry }) => entry.position > from);
    const lacked = [...older, ...entries].filter((entry) => entry.position > from);
    for await (const entry of reader.observer.follow(lacked)) reader.untold.push(entry);
    reader.position = entries.at(-1)?.position ?? position;
    this.#readers.set(connectionId, reader);
    return reader;
  }

  async #newReader(connection: Connection): Promise<Reader> {
    const openedAtMs = this.#services.clock.nowMs();
    const owner = await getOwner(this.#services, connection);
    const observer = new Observer(this.#services, connection, owner);
    return { observer, position: 0, openedAtMs, untold: [] };
  }
}

/** Whether a connection receives nothing in this run, because all its events may wait. The run counts it as behind. */
function isLeftBehind({ connectionId, userId }: Connection, run: Run, untold: ObservedEntry[]): boolean {
  const { position, wasBehind, behind, isForAll } = run;
  const events = untold.flatMap((entry) => entry.events);
  const isFull = Object.keys(behind).length >= MAX_BEHIND;
  if (isForAll || isFull || events.length === 0 || !events.every((event) => mayWait(event, userId)))
    return false;
  behind[connectionId] = wasBehind[connectionId] ?? position;
  return true;
}
