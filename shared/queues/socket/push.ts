import { DeclaredError } from '#shared/domain/errors.ts';
import type { Connection, Connections } from '#shared/domain/sockets/connection.ts';
import { followLog } from '#shared/log/follow.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services, Sockets } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { isClosed } from '#shared/store/organization/closure.ts';
import { Observer } from '../observer.ts';
import type { ObservedEntry } from '../reply-page.ts';
import { connectionsOf, endConnection, pusherPlace } from './connections.ts';
import { closedText, eventTexts, POLL_TEXT } from './frames.ts';
import { getOwner } from './right.ts';

const ENTRIES_AT_ONCE = 100;
/** How often a connection that cannot be closed is tried again, and after which time. */
const LOST = { attempts: 5, pauseMs: 1_000 };
/** After this time the owner's account is read anew. */
const MAX_READER_AGE_MS = 60_000;

/**
 * Pushes new log entries to all open connections, at least up to a position if one is given. Each connection
 * gets each of its events at least once and in order, or ends: the pusher moves on only then. Returns false where
 * they may not be told up to that position yet, because another pusher is at work, or an entry is missing.
 */
export async function pushEvents(services: Services, upTo = 0): Promise<boolean> {
  const { sockets } = services;
  if (!sockets) return true;
  const pusher = pushers.get(sockets) ?? new Pusher(services, sockets);
  pushers.set(sockets, pusher);
  const take = (entries: LogEntry[]) => pusher.push(entries);
  const place = pusherPlace(services, sockets, upTo);
  const isDone = await followLog(services, place, { upTo, entriesAtOnce: ENTRIES_AT_ONCE, take });
  await pusher.endLost();
  return isDone;
}

const pushers = new WeakMap<Sockets, Pusher>();

/** A connection's view of the log, as long as it follows it entry by entry. */
interface Reader {
  observer: Observer;
  position: number;
  openedAtMs: number;
}

class Pusher {
  readonly #services: Services;
  readonly #sockets: Sockets;
  readonly #connections: Connections;
  #readers = new Map<string, Reader>();
  /** Whether some connection has missed events and could not be closed. */
  #hasLost = false;

  constructor(services: Services, sockets: Sockets) {
    this.#services = services;
    this.#sockets = sockets;
    this.#connections = connectionsOf(services, sockets);
  }

  async push(entries: LogEntry[]): Promise<void> {
    // Listed after the entries were read: who opens a socket later finds these entries.
    const all = await this.#connections.list();
    const isClosing = all.length > 0 && (await isClosed(this.#services));
    const known = this.#readers;
    this.#readers = new Map();
    await mapConcurrently(all, async (connection) => {
      const reader = isClosing ? undefined : known.get(connection.connectionId);
      await this.#tell(connection, entries, reader);
    });
  }

  /** Closes what could not be closed before. What cannot be closed now is tried with the next entries. */
  async endLost(): Promise<void> {
    for (let attempt = 1; this.#hasLost && attempt <= LOST.attempts; attempt++) {
      await this.#services.clock.sleep(LOST.pauseMs);
      this.#hasLost = false;
      const lost = (await this.#connections.list()).filter(({ isLost }) => isLost);
      await mapConcurrently(lost, (connection) => this.#end(connection));
    }
  }

  async #tell(connection: Connection, entries: LogEntry[], reader: Reader | undefined): Promise<void> {
    if (connection.isLost) return this.#end(connection);
    const { texts, isEnd } = await this.#textsFor(connection, entries, reader);
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
    entries: LogEntry[],
    reader: Reader | undefined,
  ): Promise<{ texts: string[]; isEnd?: true }> {
    try {
      const texts = eventTexts(await this.#observe(connection, entries, reader));
      return texts ? { texts } : { texts: [POLL_TEXT], isEnd: true };
    } catch (failure) {
      if (!(failure instanceof DeclaredError)) throw failure;
      return { texts: [closedText(failure)], isEnd: true };
    }
  }

  async #observe(
    connection: Connection,
    entries: LogEntry[],
    reader: Reader | undefined,
  ): Promise<ObservedEntry[]> {
    const run = entries.filter(({ position }) => position > connection.fromPosition);
    const nowMs = this.#services.clock.nowMs();
    const follows =
      reader?.position === (entries[0]?.position ?? 0) - 1 && nowMs - reader.openedAtMs < MAX_READER_AGE_MS;
    const { observer, openedAtMs } = follows
      ? reader
      : { observer: await this.#newObserver(connection), openedAtMs: nowMs };
    const observed: ObservedEntry[] = [];
    for await (const one of observer.follow(run)) observed.push(one);
    const position = entries.at(-1)?.position ?? 0;
    this.#readers.set(connection.connectionId, { observer, position, openedAtMs });
    return observed;
  }

  async #newObserver(connection: Connection): Promise<Observer> {
    return new Observer(this.#services, connection, await getOwner(this.#services, connection));
  }
}
