import { RateLimitHit } from '#shared/domain/errors.ts';
import { chooseSlot, type PollSlot } from '#shared/domain/polls/slots.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Config } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readPollSlots, writePollSlots } from '#shared/store/limits/poll-slots.ts';
import type { PollSubject } from '#shared/table/keys/queues.ts';

/** A queue that polls again and again takes its slot once in this time. */
const KEPT_MS = 60_000;
/** How late a poll may end. */
const LATENESS_MS = 3_000;

/** After this many conflicts the account must be close to its limit. */
const MAX_ATTEMPTS = 10;
const BUSY_RETRY_SECONDS = 1;

/** A poll's right to wait, counted across all functions. */
export interface PollLease {
  /** Whether a newer poll of the queue waits in another function. Reads the table from time to time. */
  isSuperseded(): Promise<boolean>;
}

/**
 * Lets a poll wait unless its account has too many waiting polls. Half a read unit, and one write unit unless an earlier
 * poll of the queue was within the last minute.
 * @throws RateLimitHit with the time until one of them ends
 */
export async function leasePoll(
  services: Services,
  user: User,
  poll: { queueId: string; lastEventId: number; holdMs: number },
): Promise<PollLease> {
  const { table, clock, config, ids } = services;
  const subject = subjectOf(user);
  const limit = limitOf(config, subject);
  const lingerMs = config.pollLeaseCheckMs + LATENESS_MS;
  const { queueId, lastEventId } = poll;
  const pollId = ids.writeId();
  let seen = await readPollSlots(table, subject);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const nowMs = clock.nowMs();
    const endMs = nowMs + poll.holdMs + LATENESS_MS;
    const rules = { limit, spread: ids.fraction(), nowMs, lingerMs, endMs, keptMs: KEPT_MS };
    const choice = chooseSlot(seen, poll, rules);
    if ('freeAtMs' in choice) throw new RateLimitHit(Math.ceil((choice.freeAtMs - nowMs) / 1000));
    const { slot, superseded, kept, untilMs } = choice;
    if (kept) return lease(services, subject, { slot, pollId: kept.pollId });
    const heldUntilMs = nowMs + poll.holdMs;
    const own: PollSlot = { queueId, pollId, lastEventId, untilMs, heldUntilMs };
    const next = new Map([...superseded, [slot, own]]);
    const other = await writePollSlots(table, subject, { seen, next, nowSeconds: toSeconds(nowMs) });
    if (!other) return lease(services, subject, { slot, pollId });
    seen = other;
  }
  throw new RateLimitHit(BUSY_RETRY_SECONDS);
}

/** An owner's bots count together, because otherwise bots would circumvent the limit. */
export const subjectOf = ({ userId, isBot, botOwnerId }: User): PollSubject =>
  isBot && botOwnerId !== null ? { kind: 'bots', ownerId: botOwnerId } : { kind: 'person', userId };

/** How many polls of a subject may wait, and how many sockets it may have open. */
export const limitOf = ({ pollLimits }: Config, { kind }: PollSubject): number =>
  kind === 'person' ? pollLimits.person : pollLimits.botsOfOwner;

function lease(
  { table, clock, config }: Services,
  subject: PollSubject,
  { slot, pollId }: { slot: number; pollId: string },
): PollLease {
  let askedAtMs = clock.nowMs();
  return {
    async isSuperseded() {
      if (clock.nowMs() - askedAtMs < config.pollLeaseCheckMs) return false;
      askedAtMs = clock.nowMs();
      const current = (await readPollSlots(table, subject)).get(slot);
      return current === undefined || current.pollId !== pollId || current.isSuperseded === true;
    },
  };
}
