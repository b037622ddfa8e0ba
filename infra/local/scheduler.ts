import type { Clock } from '#shared/runtime/clock.ts';
import type { ScheduledDelivery, Scheduler } from '#shared/runtime/services.ts';
import { runWithRetries } from './retry.ts';

/** A scheduled message that is not due yet. */
export interface PendingDelivery extends ScheduledDelivery {
  deliverAtSeconds: number;
}

export interface LocalScheduler extends Scheduler {
  /** Schedules messages from before this start; overdue ones are delivered at once. */
  arm(pending: PendingDelivery[]): void;
  /** Drops pending deliveries, and waits for running ones. */
  stop(): Promise<void>;
}

export interface LocalSchedulerOptions {
  deliver(delivery: ScheduledDelivery): Promise<void>;
  clock: Clock;
}

/** Longer timers of the runtime fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * One-time schedules within this process, precise to the millisecond. They are lost when the process ends.
 */
export function createLocalScheduler({ deliver, clock }: LocalSchedulerOptions): LocalScheduler {
  const waiting = new Map<number, AbortController>();
  const delivering = new Set<Promise<void>>();

  const waitAndDeliver = async (delivery: PendingDelivery, { signal }: AbortController): Promise<void> => {
    const { userId, scheduledMessageId, deliverAtSeconds } = delivery;
    const remainingMs = () => deliverAtSeconds * 1000 - clock.nowMs();
    while (remainingMs() > 0 && !signal.aborted)
      await clock.sleep(Math.min(remainingMs(), MAX_TIMER_MS), signal);
    const run = () => deliver({ userId, scheduledMessageId });
    const ids = { userId, scheduledMessageId };
    const delivered = runWithRetries(
      { name: 'The delivery of a scheduled message', ids, run },
      clock,
      signal,
    );
    delivering.add(delivered);
    await delivered;
    delivering.delete(delivered);
  };

  const schedule = async (delivery: PendingDelivery): Promise<void> => {
    const { scheduledMessageId } = delivery;
    waiting.get(scheduledMessageId)?.abort();
    const controller = new AbortController();
    waiting.set(scheduledMessageId, controller);
    await waitAndDeliver(delivery, controller);
    if (waiting.get(scheduledMessageId) === controller) waiting.delete(scheduledMessageId);
  };

  return {
    async put(delivery, atSeconds) {
      void schedule({ ...delivery, deliverAtSeconds: atSeconds });
    },
    async remove({ scheduledMessageId }) {
      waiting.get(scheduledMessageId)?.abort();
    },
    arm(pending) {
      for (const delivery of pending) void schedule(delivery);
    },
    async stop() {
      for (const controller of waiting.values()) controller.abort();
      await Promise.all(delivering);
    },
  };
}
