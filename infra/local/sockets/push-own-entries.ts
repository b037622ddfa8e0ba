import type { Around } from '#infra/local/around.ts';
import { pushEvents } from '#shared/queues/socket/push.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';

/** The pusher's view of the process's connections. */
export interface OwnPushing {
  hasConnections(): boolean;
  /** So long an event that may wait is kept for one that may not. */
  patienceMs: number;
  around: Around;
}

/** Pushes what this process writes to the log, at once and one run after the other, while there are connections. */
export function pushOwnEntries(services: Services, { hasConnections, patienceMs, around }: OwnPushing): void {
  let wanted = 0;
  let isForAll = false;
  let isRunning = false;
  let isAwaited = false;
  const push = async (): Promise<void> => {
    isRunning = true;
    try {
      for (let done = 0; done < wanted || isForAll; ) {
        const forAll = isForAll;
        isForAll = false;
        done = wanted;
        await around('push-events', () => pushEvents(services, done, forAll));
      }
    } catch (failure) {
      logLine('error', 'Events could not be pushed; they will be soon', describeFailure(failure));
      pushAllSoon();
    } finally {
      isRunning = false;
    }
  };
  const pushAll = (): void => {
    isAwaited = false;
    isForAll = true;
    if (!isRunning) void push();
  };
  const pushAllSoon = (): void => {
    if (!isAwaited) setTimeout(pushAll, patienceMs).unref();
    isAwaited = true;
  };
  services.appends?.on('entry', (position) => {
    if (!hasConnections()) return;
    wanted = Math.max(wanted, position);
    pushAllSoon();
    if (!isRunning) void push();
  });
}
