import { RateLimitHit } from '#shared/domain/errors.ts';
import type { Connection, Connections } from '#shared/domain/sockets/connection.ts';
import type { Account, User } from '#shared/domain/users/user.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services, Sockets } from '#shared/runtime/services.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { cursorOf } from '../cursor.ts';
import { hasDeferred } from '../deferred-events.ts';
import { Observer } from '../observer.ts';
import { limitOf, subjectOf } from '../poll-lease.ts';
import { expiry, type Queue, saveQueue } from '../queue.ts';
import { type Progress, withProgress } from './acknowledge.ts';
import { connectionsOf, endConnection } from './connections.ts';
import { closedText, openedText, POLL_TEXT } from './frames.ts';
import { getOwner, type SocketQueue } from './right.ts';

/** A client that is further behind polls first. */
const MAX_POSITIONS_BEHIND = 500;
/** The connection may outlive its time a little. */
const LATENESS_SECONDS = 600;
const RETRY_SECONDS = 60;

/**
 * Sends a connection all events that its queue's client lacks, and registers it for pushes. If that is
 * too much, the client must poll first, and the connection ends.
 * @throws BadEventQueueId, BadRequest, and like `getOwner`
 */
export async function openSocket(
  services: Services,
  sockets: Sockets,
  connectionId: string,
  progress: Progress,
): Promise<void> {
  const queue = await withProgress(services, progress);
  const owner = await getOwner(services, { ...queue.socket, userId: queue.userId });
  const connections = connectionsOf(services, sockets);
  const connection = await connections.add(connect(services, queue, owner, connectionId));
  try {
    const text = hasDeferred(queue) ? undefined : await catchUp(services, queue, owner);
    if (text !== undefined) {
      const endMs = connection.expiresAtSeconds * 1000;
      await saveQueue(services, queue, expiry(queue.idleTimeoutSeconds, endMs));
      await endOthers(services, sockets, connections, connection, owner);
    }
    const posted = await sockets.post(connectionId, text ?? POLL_TEXT);
    if (text !== undefined && posted === 'sent') return;
  } catch (failure) {
    await connections.remove(connection);
    throw failure;
  }
  await endConnection(sockets, connections, connection);
}

/** The events that exist after the connection was added; later ones are pushed. Undefined if there are too many. */
async function catchUp(services: Services, queue: Queue, owner: Account): Promise<string | undefined> {
  const { table } = services;
  const after = cursorOf(queue);
  const counter = await readCounter(table);
  if (counter - after > MAX_POSITIONS_BEHIND) return undefined;
  const entries = untilHole(await listEntries(table, after + 1, counter), after);
  const position = after + entries.length;
  return openedText(position, await observe(services, queue, owner, entries));
}

function connect(
  { clock, config }: Services,
  queue: SocketQueue,
  owner: User,
  connectionId: string,
): Connection {
  const { queueId, userId, filter, ackedId, socket } = queue;
  const { keyVersion, sessionDigest } = socket;
  const openedAtMs = clock.nowMs();
  return {
    connectionId,
    queueId,
    userId,
    subject: Object.values(subjectOf(owner)).join('#'),
    filter,
    ackedId,
    fromPosition: cursorOf(queue),
    keyVersion,
    ...(sessionDigest !== undefined && { sessionDigest }),
    openedAtMs,
    expiresAtSeconds: toSeconds(openedAtMs) + config.socketSeconds + LATENESS_SECONDS,
  };
}

const untilHole = (entries: LogEntry[], after: number): LogEntry[] => {
  const hole = entries.findIndex(({ position }, index) => position !== after + 1 + index);
  return hole < 0 ? entries : entries.slice(0, hole);
};

async function observe(
  services: Services,
  queue: Queue,
  owner: Account,
  entries: LogEntry[],
): Promise<ShapedEvent[]> {
  const all: ShapedEvent[] = [];
  for await (const { events } of new Observer(services, queue, owner).follow(entries)) all.push(...events);
  return all;
}

/** Ends older connections of the queue, and the account's oldest connections above the limit. */
async function endOthers(
  { config }: Services,
  sockets: Sockets,
  connections: Connections,
  { connectionId, queueId, subject, openedAtMs }: Connection,
  owner: User,
): Promise<void> {
  const others = (await connections.listOf(subject))
    .filter((connection) => connection.connectionId !== connectionId && connection.openedAtMs <= openedAtMs)
    .sort((a, b) => b.openedAtMs - a.openedAtMs);
  const limit = limitOf(config, subjectOf(owner));
  const kept = others.filter((other) => other.queueId !== queueId).slice(0, limit - 1);
  for (const other of others.filter((connection) => !kept.includes(connection))) {
    await sockets.post(other.connectionId, closedText(new RateLimitHit(RETRY_SECONDS)));
    await endConnection(sockets, connections, other);
  }
}
