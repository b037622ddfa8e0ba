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
}

/** The open connections of a service. */
export interface Connections {
  /** When this returns, everything that was not written by then will be pushed to the connection. */
  add(connection: Connection): Promise<void>;
  /** Succeeds if it is gone. */
  remove(connection: Pick<Connection, 'subject' | 'connectionId'>): Promise<void>;
  find(connectionId: string): Promise<Pick<Connection, 'subject' | 'connectionId'> | undefined>;
  /** Notes that it has missed events. Succeeds if it is gone. */
  markLost(connection: Connection): Promise<void>;
  isEmpty(): Promise<boolean>;
  list(): Promise<Connection[]>;
  listOf(subject: string): Promise<Connection[]>;
}
