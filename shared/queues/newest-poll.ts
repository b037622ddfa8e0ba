import type { Services } from '#shared/runtime/services.ts';

/** Why a poll ends before its time: a newer one of its queue waits, or the process is about to end. */
export type Interruption = 'superseded' | 'ending';

interface WaitingPolls {
  byQueue: Map<string, AbortController>;
  isEnding: boolean;
}

const waiting = new WeakMap<Services, WaitingPolls>();

/**
 * Registers the newest poll of a queue. An earlier one in the same process ends, because its client has given
 * it up. The signal is aborted, with an `Interruption` as its reason, when this happens to the new one.
 */
export function waitAsNewest(
  services: Services,
  queueId: string,
): { interrupted: AbortSignal; end: () => void } {
  const { byQueue, isEnding } = waitingPollsOf(services);
  byQueue.get(queueId)?.abort('superseded' satisfies Interruption);
  const controller = new AbortController();
  byQueue.set(queueId, controller);
  if (isEnding) controller.abort('ending' satisfies Interruption);
  const end = () => {
    if (byQueue.get(queueId) === controller) byQueue.delete(queueId);
  };
  return { interrupted: controller.signal, end };
}

/** Ends the waiting polls of this process, and later ones before they wait: their clients poll another process. */
export function endWaitingPolls(services: Services): void {
  const polls = waitingPollsOf(services);
  polls.isEnding = true;
  for (const controller of polls.byQueue.values()) controller.abort('ending' satisfies Interruption);
}

function waitingPollsOf(services: Services): WaitingPolls {
  const polls = waiting.get(services) ?? { byQueue: new Map(), isEnding: false };
  waiting.set(services, polls);
  return polls;
}
