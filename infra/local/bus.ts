import { setImmediate as nextTick } from 'node:timers/promises';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Bus, JobNotice } from '#shared/runtime/services.ts';
import { type BackgroundWork, runWithRetries } from './retry.ts';

export interface LocalBus extends Bus {
  /** Resolves when no job is running or waiting for a retry, including jobs published by jobs. */
  drain(): Promise<void>;
  /** Starts no further attempts, and waits for running ones. */
  stop(): Promise<void>;
}

export interface LocalBusOptions {
  runJob(notice: JobNotice): Promise<void>;
  notifyDevices(position: number): Promise<void>;
  clock: Clock;
}

/**
 * A bus within this process: each job runs after its publisher has continued, with retries until it succeeds.
 */
export function createLocalBus({ runJob, notifyDevices, clock }: LocalBusOptions): LocalBus {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const begin = (work: BackgroundWork): void => {
    const run = async (): Promise<void> => {
      await nextTick();
      await runWithRetries(work, clock, stopping.signal);
    };
    const job: Promise<void> = run().finally(() => running.delete(job));
    running.add(job);
  };
  const drain = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    async publish(notices) {
      for (const notice of notices) begin({ name: 'A job', ids: { ...notice }, run: () => runJob(notice) });
    },
    async wakeNotifier(position) {
      begin({ name: 'Notifying devices', ids: { position }, run: () => notifyDevices(position) });
    },
    drain,
    async stop() {
      stopping.abort();
      await drain();
    },
  };
}
