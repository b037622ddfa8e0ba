import type { EventEmitter } from 'node:events';
import type { JobType } from '#shared/domain/jobs.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import type { ConnectionPart, Connections } from '#shared/domain/sockets/connection.ts';
import type { Folder } from '#shared/table/areas.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Ids } from './ids.ts';
import type { Outside } from './outside/outside.ts';
import type { Relay } from './relay.ts';

/**
 * A notice of a job for a worker behind the bus. The job itself stays in the table until it is
 * done.
 */
export interface JobNotice {
  jobId: string;
  type: JobType;
}

/** The event bus. Notices are hints: the sweep publishes a lost one again. */
export interface Bus {
  publish(notices: JobNotice[]): Promise<void>;
  /** Also a hint: the log has something for devices at this position. */
  wakeNotifier(position: number): Promise<void>;
}

/** The notice for the push notification worker. */
export interface NotifierNotice {
  position: number;
}

/** The event that a schedule sends to the function that delivers scheduled messages. */
export interface ScheduledDelivery {
  userId: number;
  scheduledMessageId: number;
}

/** One-time schedules, named after their scheduled messages. */
export interface Scheduler {
  /** Creates or moves the schedule. */
  put(delivery: ScheduledDelivery, atSeconds: number): Promise<void>;
  /** Succeeds if there is none. */
  remove(delivery: ScheduledDelivery): Promise<void>;
}

/** One mail to one address. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Whether a mail was accepted for delivery; a refused one will never be accepted. */
export type MailOutcome = 'sent' | { refusedBecause: string };

/** Sends mails. Not idempotent: sending again delivers another mail. */
export interface Mail {
  /** @throws for failures worth a retry */
  send(message: MailMessage): Promise<MailOutcome>;
}

/** The headers of an answer with a file. */
export interface ShownAs {
  contentType: string;
  contentDisposition: string;
}

/** Stored files by name. Callers check permissions. */
export interface FileStore {
  /** Stores a file, replacing one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The same for a file in pieces, of which only few are in memory at once. */
  putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  find(name: string): Promise<Uint8Array | undefined>;
  /** Succeeds if there is none. */
  remove(name: string): Promise<void>;
  /** Removes many files of a folder, or all of them. Whether some may be left. */
  clear(folder: Folder): Promise<boolean>;
  /**
   * An address at which the file can be downloaded without credentials for this many seconds, at most a week.
   * `shownAs` sets the headers of the answer; by default they follow from the file extension.
   */
  downloadUrl(name: string, validSeconds: number, shownAs?: ShownAs): Promise<string>;
}

export interface Picture {
  bytes: Uint8Array;
  format: 'png' | 'gif' | 'webp';
}

/** The displayed size of a picture, and its versions in the order of the shapes. */
export interface ShrunkPicture {
  width: number;
  height: number;
  pictures: Picture[];
}

/** Converts uploaded pictures. */
export interface Images {
  /**
   * The picture in all shapes, without metadata.
   * @throws BadImage for invalid pictures and pictures that need too much time or memory; RateLimitHit when many
   * are waiting
   */
  shrink(bytes: Uint8Array, shapes: PictureShape[]): Promise<ShrunkPicture>;
}

/** Capacity units of the table. */
export interface ConsumedUnits {
  read: number;
  write: number;
}

/** The result of sending to a connection; one that is gone never comes back, a busy one accepts nothing now. */
export type Posted = 'sent' | 'gone' | 'busy';

/** Open sockets of clients, wherever they are held. */
export interface Sockets {
  /** The address that clients connect to; a path is on the host of the API. */
  url: string;
  post(connectionId: string, text: string): Promise<Posted>;
  /** Closes a connection. */
  end(connectionId: string): Promise<Posted>;
  /** In a process that holds all of them: the connections, which otherwise are items of the table. */
  connections?: Connections | undefined;
  /** Has another process push to one part of the connections; absent where one process pushes to all. */
  pushElsewhere?(work: PartWork): Promise<void>;
}

/** What a pusher is to do for its part of the connections. */
export interface PartWork {
  part: ConnectionPart;
  /** The log has at least this position. */
  upTo: number;
  /** What may wait has waited long enough. */
  isForAll: boolean;
  /** The least time between two runs; the pusher stays as long as the log grows. Absent if it ends at the end of the log. */
  restMs?: number;
}

/** All side effects and sources of nondeterminism of the service. */
export interface Services {
  table: Table;
  scheduler: Scheduler;
  bus: Bus;
  mail: Mail;
  files: FileStore;
  images: Images;
  /** Makes requests to addresses that someone else chose. */
  outside: Outside;
  clock: Clock;
  ids: Ids;
  /** In a process that holds many polls: emits each log entry that the process has written. */
  appends?: EventEmitter<{ entry: [position: number, item: Item] }>;
  /** Absent if the deployment has no sockets. */
  sockets?: Sockets;
  /** The OpenAPI document of the API, as JSON. */
  apiDocument(): Promise<string>;
  /** The secret that API keys are derived from. */
  secret(): Promise<string>;
  /** The secret that the distribution before the API sends along; absent without one. */
  originSecret?: () => Promise<string>;
  /** The secret of the video call server, if it is stored apart from the configuration. */
  callsSecret?: () => Promise<string>;
  /** The key at the provider of GIFs, if it is stored apart from the configuration. */
  gifKey?: () => Promise<string>;
  /** The key of JSON web tokens and the secret of the Zoom app, if they are stored apart from the configuration. */
  jwtKey?: () => Promise<string>;
  zoomSecret?: () => Promise<string>;
  /** Sends push notifications; absent if the operator has configured none. */
  relay?: Relay;
  /** The units that the process, or the present request in it, has consumed; absent if nothing counts them. */
  consumed?(): ConsumedUnits;
  /** Receives the time from the append of an entry until a waiting poll found it. */
  noteSeen?(lagMs: number): void;
  config: Config;
}
