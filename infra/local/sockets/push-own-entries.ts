import type { Around } from '#infra/local/around.ts';
import { pushEvents } from '#shared/queues/socket/push.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Pushes what this process writes to the log, at once and one run after the other, while there are connections. */
export function pushOwnEntries(services: Services, hasConnections: () => boolean, around: Around): void {
  let wanted = 0;
  let isRunning = false;
  const push = async (): Promise<void> => {
    isRunning = true;
    try {
      for (let done = 0; done < wanted; ) {
        done = wanted;
        await around('push-events', () => pushEvents(services, done));
      }
    } catch (failure) {
      logLine('error', 'Events could not be pushed; they will be with the next', describeFailure(failure));
    } finally {
      isRunning = false;
    }
  };
  services.appends?.on('entry', (position) => {
    if (!hasConnections()) return;
    wanted = Math.max(wanted, position);
    if (!isRunning) void push();
  });
}
