import type { Services } from '#shared/runtime/services.ts';

/** Ends the waiting poll of each queue in this process. */
const waiting = new WeakMap<Services, Map<string, AbortController>>();

/**
 * Registers the newest poll of a queue. An earlier one in the same process ends, because its client has given
 * it up. The signal is aborted when this happens to the new one.
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
