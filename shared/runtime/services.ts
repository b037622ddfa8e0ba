import type { JobType } from '#shared/domain/change.ts';
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

/** Everything with an effect or a will of its own that the code of the service uses. */
export interface Services {
  table: Table;
  scheduler: Scheduler;
  bus: Bus;
  clock: Clock;
  ids: Ids;
  /** The secret under which API keys are derived. */
  secret(): Promise<string>;
  /** Through it devices are notified; absent where the operator has named none. */
  relay?: Relay;
  config: Config;
}
