import type { JobType } from '#shared/domain/change.ts';
import type { PictureShape } from '#shared/domain/pictures/fit.ts';
import type { Table } from '#shared/table/table.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Ids } from './ids.ts';
import type { Relay } from './relay.ts';

/** What a worker behind the bus is asked to do. The job itself lies in the table until it is done. */
export interface JobNotice {
  jobId: string;
  type: JobType;
}

/** The event bus. Publishing is a hint: a job that no worker heard of is published again by the sweep. */
export interface Bus {
  publish(notices: JobNotice[]): Promise<void>;
  /** A hint as well: the log has something for devices at this position. */
  wakeNotifier(position: number): Promise<void>;
}

/** What the worker that notifies devices is told. */
export interface NotifierNotice {
  position: number;
}

/** What a schedule hands to the function that delivers scheduled messages. */
export interface ScheduledDelivery {
  userId: number;
  scheduledMessageId: number;
}

/** One-time schedules, each named after its scheduled message. */
export interface Scheduler {
  /** Creates the schedule, or moves the one that exists. */
  put(delivery: ScheduledDelivery, atSeconds: number): Promise<void>;
  /** Succeeds also when there is none. */
  remove(delivery: ScheduledDelivery): Promise<void>;
}

/** One mail to one address. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Whether a mail was handed over; one that was refused will never be accepted, however often it is tried. */
export type MailOutcome = 'sent' | { refusedBecause: string };

/** Hands mails over to be delivered. Handing over again sends another one. */
export interface Mail {
  /** @throws where it is worth trying again */
  send(message: MailMessage): Promise<MailOutcome>;
}

/** What an answer with a file says of it, as headers do. */
export interface ShownAs {
  contentType: string;
  contentDisposition: string;
}

/** Files by name, such as pictures and exports. Who may get one is decided by whoever asks for it. */
export interface FileStore {
  /** Keeps a file, in the place of one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The same for one that is made of pieces, one after the other; few of them are in memory at once. */
  putPieces(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  find(name: string): Promise<Uint8Array | undefined>;
  /** Succeeds also when there is none. */
  remove(name: string): Promise<void>;
  /**
   * An address at which any holder of it can download the file, for so many seconds; a week at most. `shownAs` is what the
   * answer says of it; without it, what the ending of the name says.
   */
  downloadUrl(name: string, validSeconds: number, shownAs?: ShownAs): Promise<string>;
}

export interface Picture {
  bytes: Uint8Array;
  format: 'png' | 'gif' | 'webp';
}

/** How large a picture is as it is shown, and its forms in the order of the shapes. */
export interface ShrunkPicture {
  width: number;
  height: number;
  pictures: Picture[];
}

/** Pictures that somebody sent. */
export interface Images {
  /**
   * The picture in each of the shapes, without anything that it says beside what it shows.
   * @throws BadImage for what is no picture, or one that takes too much time or memory; RateLimitHit when many wait
   */
  shrink(bytes: Uint8Array, shapes: PictureShape[]): Promise<ShrunkPicture>;
}

/** Everything with an effect or a will of its own that the code of the service uses. */
export interface Services {
  table: Table;
  scheduler: Scheduler;
  bus: Bus;
  mail: Mail;
  files: FileStore;
  images: Images;
  clock: Clock;
  ids: Ids;
  /** The OpenAPI document of the API, as JSON. */
  apiDocument(): Promise<string>;
  /** The secret under which API keys are derived. */
  secret(): Promise<string>;
  /** Through it devices are notified; absent where the operator has named none. */
  relay?: Relay;
  config: Config;
}
