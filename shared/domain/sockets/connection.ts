import type { QueueFilter } from '#shared/events/queue-filter.ts';

/** An open socket, which receives the events of one queue. */
export interface Connection {
  connectionId: string;
  queueId: string;
  userId: number;
  /** The account for which it counts: a person, or the owner of a bot. */
  subject: string;
  filter: QueueFilter;
  /** The client has the events up to this id. */
  ackedId: number;
  /** The entries up to here are nothing to it. */
  fromPosition: number;
  /** The credentials with which the client registered. */
  keyVersion: number;
  sessionDigest?: string;
  openedAtMs: number;
  expiresAtSeconds: number;
  /** It has missed events and could not be closed yet; it receives nothing further. */
  isLost?: boolean;
  /** The part of the connections that it belongs to for as long as it lives; absent in the first one. */
  part?: number;
}

/** What names a connection. */
export type ConnectionName = Pick<Connection, 'subject' | 'connectionId' | 'part'>;

/** A part of the connections, which has a pusher of its own. */
export interface ConnectionPart {
  number: number;
  /** How many connections it has, about. */
  count: number;
}

/** The open connections of a service. */
export interface Connections {
  /**
   * Deals a connection to a part. When this returns, everything that was not written by then will be pushed to the
   * connection.
   */
  add(connection: Connection): Promise<Connection>;
  /** Succeeds if it is gone. */
  remove(connection: ConnectionName): Promise<void>;
  find(connectionId: string): Promise<ConnectionName | undefined>;
  /** Notes that it has missed events. Succeeds if it is gone. */
  markLost(connection: Connection): Promise<void>;
  /** The parts that have connections. */
  parts(): Promise<ConnectionPart[]>;
  /** Corrects the noted number of connections of a part if it is far from the true one. Returns the noted one. */
  correct(part: ConnectionPart, count: number): Promise<number>;
  /** Of one part, the first unless another is named, as `list` does. */
  isEmpty(part?: number): Promise<boolean>;
  list(part?: number): Promise<Connection[]>;
  listOf(subject: string): Promise<Connection[]>;
}
