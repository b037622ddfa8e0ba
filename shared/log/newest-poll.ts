import type { Services } from '#shared/runtime/services.ts';

/** What ends the poll of each queue that waits in this process. */
const waiting = new WeakMap<Services, Map<string, AbortController>>();

/**
 * Says that the newest poll of a queue waits. One that waited before in the same process is over from then on: its
 * client has given it up. The signal is aborted when that happens to this one.
 */
export function waitAsNewest(
  services: Services,
  queueId: string,
): { superseded: AbortSignal; end: () => void } {
  const polls = waiting.get(services) ?? new Map<string, AbortController>();
  waiting.set(services, polls);
  polls.get(queueId)?.abort();
  const controller = new AbortController();
  polls.set(queueId, controller);
  const end = () => {
    if (polls.get(queueId) === controller) polls.delete(queueId);
  };
  return { superseded: controller.signal, end };
}
