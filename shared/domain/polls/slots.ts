/** A poll that waits, as the functions that run other polls know of it. */
export interface PollSlot {
  queueId: string;
  pollId: string;
  /** What the client had when it began to wait. */
  lastEventId: number;
  /** By then it has ended. */
  untilMs: number;
  /** A newer poll of the queue waits; this one ends when it notices. */
  isSuperseded?: true;
}

/** The polls under way of one account, by the numbers of their slots; those that have ended may still be there. */
export type PollSlots = ReadonlyMap<number, PollSlot>;

export interface SlotRules {
  /** So many polls may wait at once. */
  limit: number;
  /** In [0, 1): where the search for a free slot begins, so that polls that begin together seldom choose the same. */
  spread: number;
  nowMs: number;
  /** A superseded poll notices within this time. */
  lingerMs: number;
}

/** Where a poll waits, and the slots of polls that it supersedes, as they will be. */
export interface SlotChoice {
  slot: number;
  superseded: Map<number, PollSlot>;
}

/**
 * Chooses a slot for a poll that begins to wait. An earlier poll of the same queue leaves its slot to it if the client
 * has its reply; otherwise that one may still be waiting, and counts until it has noticed. Without a free slot, tells
 * when there will be one.
 */
export function chooseSlot(
  slots: PollSlots,
  poll: Pick<PollSlot, 'queueId' | 'lastEventId'>,
  { limit, spread, nowMs, lingerMs }: SlotRules,
): SlotChoice | { freeAtMs: number } {
  const waiting = [...slots].filter(([, { untilMs }]) => untilMs > nowMs);
  const ofQueue = waiting.filter(([, { queueId }]) => queueId === poll.queueId);
  const answered = ofQueue.find(([, { lastEventId }]) => lastEventId < poll.lastEventId)?.[0];
  const taken = new Set(waiting.map(([slot]) => slot));
  const first = Math.floor(spread * limit);
  const free = Array.from({ length: limit }, (_, step) => (first + step) % limit).find(
    (slot) => !taken.has(slot),
  );
  const slot = answered ?? free;
  if (slot === undefined) return { freeAtMs: Math.min(...waiting.map(([, { untilMs }]) => untilMs)) };
  const others = ofQueue.filter(([other, { isSuperseded }]) => other !== slot && !isSuperseded);
  return {
    slot,
    superseded: new Map(
      others.map(([other, one]) => [
        other,
        { ...one, untilMs: Math.min(one.untilMs, nowMs + lingerMs), isSuperseded: true },
      ]),
    ),
  };
}
