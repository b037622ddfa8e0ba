/** A waiting poll, as other functions see it. */
export interface PollSlot {
  queueId: string;
  pollId: string;
  /** The last event id that the client had when the poll began. */
  lastEventId: number;
  /** The poll, or one of the queue that has come after it, ends by this time. */
  untilMs: number;
  /** The poll that took the slot ends at this time unless it is late; absent if an earlier version took it. */
  heldUntilMs?: number;
  /** A newer poll of the queue is waiting; this one ends when it notices. */
  isSuperseded?: true;
}

/** The polls of one account by slot number; ended ones may still be listed. */
export type PollSlots = ReadonlyMap<number, PollSlot>;

export interface SlotRules {
  /** The maximum number of waiting polls. */
  limit: number;
  /**
   * In [0, 1): the start of the search for a free slot, so that simultaneous polls seldom choose the same
   * one.
   */
  spread: number;
  nowMs: number;
  /** A superseded poll notices within this time. */
  lingerMs: number;
  /** When the new poll ends at the latest. */
  endMs: number;
  /** The slot of a queue that polls again and again is kept so much longer, for the polls to come. */
  keptMs: number;
}

/** The slot of a new poll, and the changed slots of polls that it supersedes. */
export interface SlotChoice {
  slot: number;
  /** An earlier poll of the queue took the slot for this one too, so nothing is to be written. */
  kept?: PollSlot;
  untilMs: number;
  superseded: Map<number, PollSlot>;
}

/**
 * Chooses a slot for a new poll. The slot may be kept from an earlier poll of the queue that has ended: the client has
 * its reply, or its time is over. Two polls of the queue may then share it, if the client gives one up: it waits until
 * its own end, and the client skips the events whose ids it has. Otherwise the new poll takes over the slot of an ended
 * poll of the queue; an earlier one that may still be waiting counts until it has noticed. Listed slots are used again
 * before others, which keeps the item small. Without a free slot, returns when one will be free.
 */
export function chooseSlot(
  slots: PollSlots,
  poll: Pick<PollSlot, 'queueId' | 'lastEventId'>,
  { limit, spread, nowMs, lingerMs, endMs, keptMs }: SlotRules,
): SlotChoice | { freeAtMs: number } {
  const waiting = [...slots].filter(([, { untilMs }]) => untilMs > nowMs);
  const ofQueue = waiting.filter(([, { queueId }]) => queueId === poll.queueId);
  const hasEnded = ({ lastEventId, heldUntilMs = Number.POSITIVE_INFINITY }: PollSlot): boolean =>
    lastEventId < poll.lastEventId || (lastEventId === poll.lastEventId && heldUntilMs <= nowMs);
  const [ended, kept] = ofQueue.find(([, earlier]) => hasEnded(earlier)) ?? [];
  if (ended !== undefined && kept && ofQueue.length === 1 && !kept.isSuperseded && kept.untilMs >= endMs)
    return { slot: ended, kept, untilMs: kept.untilMs, superseded: new Map() };
  const slot = ended ?? findFree(slots, new Set(waiting.map(([number]) => number)), { limit, spread });
  if (slot === undefined) return { freeAtMs: Math.min(...waiting.map(([, { untilMs }]) => untilMs)) };
  const others = ofQueue.filter(([other, { isSuperseded }]) => other !== slot && !isSuperseded);
  return {
    slot,
    untilMs: endMs + (ended === undefined ? 0 : keptMs),
    superseded: new Map(
      others.map(([other, slot]) => [
        other,
        { ...slot, untilMs: Math.min(slot.untilMs, nowMs + lingerMs), isSuperseded: true },
      ]),
    ),
  };
}

function findFree(
  slots: PollSlots,
  taken: Set<number>,
  { limit, spread }: Pick<SlotRules, 'limit' | 'spread'>,
): number | undefined {
  const first = Math.floor(spread * limit);
  const free = Array.from({ length: limit }, (_, step) => (first + step) % limit).filter(
    (slot) => !taken.has(slot),
  );
  return free.find((slot) => slots.has(slot)) ?? free[0];
}
