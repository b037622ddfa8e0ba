import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createLocalBus } from '#infra/local/bus.ts';
import { createLocalScheduler } from '#infra/local/scheduler.ts';
import { createStoppableClock } from '#infra/local/stoppable-clock.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import type { JobNotice, ScheduledDelivery } from '#shared/runtime/services.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';

const DAY_MS = 86_400_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A clock that jumps: a process that sleeps wakes at once, at the time that it asked for. */
function createJumpingClock(startMs = 0): Clock & { naps: number[] } {
  let nowMs = startMs;
  const naps: number[] = [];
  return {
    naps,
    nowMs: () => nowMs,
    sleep: async (delayMs) => {
      naps.push(delayMs);
      nowMs += delayMs;
    },
  };
}

/** Collects the deliveries and lets a test wait for the next. */
function createReceiver<Thing>() {
  const received: Thing[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    received,
    take(thing: Thing) {
      received.push(thing);
      wake.resolve();
      wake = Promise.withResolvers<void>();
    },
    async waitFor(count: number) {
      while (received.length < count) await wake.promise;
    },
  };
}

describe('The local scheduler', () => {
  const schedulerOf = (deliver: (delivery: ScheduledDelivery) => Promise<void>, clock: Clock = systemClock) =>
    createLocalScheduler({ deliver, clock });
  const message = { userId: 8, scheduledMessageId: 1 };

  test('Delivers at the requested time, never before', async () => {
    const receiver = createReceiver<number>();
    const scheduler = schedulerOf(async () => receiver.take(Date.now()));
    const atSeconds = Math.floor(Date.now() / 1000) + 1;
    await scheduler.put(message, atSeconds);
    await receiver.waitFor(1);
    expect(receiver.received[0]).toBeGreaterThanOrEqual(atSeconds * 1000);
  });

  test('Waits longer than a timer of the runtime can', async () => {
    const clock = createJumpingClock();
    const receiver = createReceiver<number>();
    const scheduler = schedulerOf(async () => receiver.take(clock.nowMs()), clock);
    await scheduler.put(message, (60 * DAY_MS) / 1000);
    await receiver.waitFor(1);
    expect(receiver.received).toEqual([60 * DAY_MS]);
    expect(clock.naps.slice(0, 2)).toEqual([MAX_TIMER_MS, MAX_TIMER_MS]);
  });

  test('Delivers on time although timers fire a millisecond early', async () => {
    const clock = createJumpingClock(5_000);
    const receiver = createReceiver<number>();
    let isEarly = true;
    const early = async (ms: number) => {
      await clock.sleep(isEarly ? ms - 1 : ms);
      isEarly = false;
    };
    const scheduler = schedulerOf(async () => receiver.take(clock.nowMs()), { ...clock, sleep: early });
    await scheduler.put(message, 9);
    await receiver.waitFor(1);
    expect(receiver.received).toEqual([9_000]);
    expect(clock.naps).toEqual([3_999, 1]);
  });

  test('Removes a moved schedule by its new time', async () => {
    const receiver = createReceiver<ScheduledDelivery>();
    const scheduler = schedulerOf(async (delivery) => receiver.take(delivery));
    await scheduler.put(message, Date.now() / 1000 + 3600);
    await scheduler.put(message, Date.now() / 1000 + 0.02);
    // The sleeper of the first time is done.
    for (let turns = 0; turns < 5; turns++) await setImmediate();
    await scheduler.remove(message);
    const other = { ...message, scheduledMessageId: 2 };
    await scheduler.put(other, Date.now() / 1000 + 0.04);
    await receiver.waitFor(1);
    expect(receiver.received).toEqual([other]);
  });

  test('Resumes pending schedules at its start, and delivers overdue ones at once', async () => {
    const clock = createJumpingClock(5_000);
    const receiver = createReceiver<[number, number]>();
    const scheduler = schedulerOf(
      async ({ scheduledMessageId }) => receiver.take([scheduledMessageId, clock.nowMs()]),
      clock,
    );
    scheduler.arm([
      { ...message, deliverAtSeconds: 2 },
      { ...message, scheduledMessageId: 2, deliverAtSeconds: 9 },
    ]);
    await receiver.waitFor(2);
    expect(receiver.received).toEqual([
      [1, 5_000],
      [2, 9_000],
    ]);
  });

  test('Waits for the current delivery before it stops, and starts no other', async () => {
    const delivery = Promise.withResolvers<void>();
    const begun: number[] = [];
    const clock = createJumpingClock();
    const scheduler = createLocalScheduler({
      deliver: ({ scheduledMessageId }) => {
        begun.push(scheduledMessageId);
        return delivery.promise;
      },
      clock: {
        ...clock,
        sleep: (ms, signal) => (ms > 1_000_000 ? systemClock.sleep(ms, signal) : clock.sleep(ms)),
      },
    });
    await scheduler.put({ ...message, scheduledMessageId: 2 }, DAY_MS);
    await scheduler.put(message, 0);
    let hasStopped = false;
    const stopping = scheduler.stop().then(() => {
      hasStopped = true;
    });
    await setImmediate();
    expect(hasStopped).toBe(false);
    delivery.resolve();
    await stopping;
    expect(begun).toEqual([1]);
  });

  test('Retries a failed delivery', async () => {
    const receiver = createReceiver<ScheduledDelivery>();
    let failures = 2;
    const scheduler = schedulerOf(async (delivery) => {
      if (failures-- > 0) throw new Error('The table did not answer');
      receiver.take(delivery);
    }, createJumpingClock());
    await scheduler.put(message, 0);
    await receiver.waitFor(1);
    expect(receiver.received).toEqual([message]);
    const words = 'The delivery of a scheduled message failed';
    expect(takeErrors()).toEqual([words, words]);
  });
});

describe('The local bus', () => {
  const notice: JobNotice = { jobId: 'job-1', type: 'welcome-user' };
  const busOf = (runJob: (notice: JobNotice) => Promise<void>, clock: Clock = systemClock) =>
    createLocalBus({ runJob, clock, notifyDevices: async () => {} });

  test('Runs a job after its publisher has continued', async () => {
    const ran: string[] = [];
    const bus = busOf(async ({ jobId }) => void ran.push(jobId));
    await bus.publish([notice]);
    expect(ran).toEqual([]);
    await bus.drain();
    expect(ran).toEqual(['job-1']);
  });

  test('Waits when draining for jobs that jobs publish', async () => {
    const ran: string[] = [];
    const bus = busOf(async ({ jobId }) => {
      ran.push(jobId);
      if (jobId === 'job-1') await bus.publish([{ ...notice, jobId: 'job-2' }]);
    });
    await bus.publish([notice]);
    await bus.drain();
    expect(ran).toEqual(['job-1', 'job-2']);
  });

  test('Retries a failed job with growing pauses, and gives up in the end', async () => {
    const clock = createJumpingClock();
    let attempts = 0;
    const bus = busOf(async () => {
      attempts += 1;
      throw new Error('Never works');
    }, clock);
    await bus.publish([notice]);
    await bus.drain();
    expect(attempts).toBe(6);
    expect(clock.naps).toEqual([200, 400, 800, 1_600, 3_200]);
    expect(takeErrors()).toEqual(Array(attempts).fill('A job failed'));
  });

  test('Ends the pauses of failed jobs when it stops', async () => {
    const failed = Promise.withResolvers<void>();
    const sleep: Clock['sleep'] = (_delayMs, signal) => systemClock.sleep(3_600_000, signal);
    const bus = busOf(
      async () => {
        failed.resolve();
        throw new Error('Never works');
      },
      { ...systemClock, sleep },
    );
    await bus.publish([notice]);
    await failed.promise;
    await bus.stop();
    expect(takeErrors()).toEqual(['A job failed']);
  });
});

describe('The clock of one run', () => {
  test('Wakes no sleeper after it is stopped', async () => {
    const clock = createStoppableClock();
    const woken: string[] = [];
    void clock.sleep(1).then(() => woken.push('before'));
    clock.stop();
    void clock.sleep(1).then(() => woken.push('after'));
    await systemClock.sleep(20);
    expect(woken).toEqual([]);
  });

  test('Wakes a sleeper at once by a signal', async () => {
    const clock = createStoppableClock();
    const controller = new AbortController();
    const nap = clock.sleep(3_600_000, controller.signal);
    controller.abort();
    await nap;
    await clock.sleep(3_600_000, controller.signal);
  });
});
