import type { Ending } from './follower.ts';

/** How a socket went that is over now. */
export interface Spell {
  ending: Ending;
  wasOpened: boolean;
  openMs: number;
}

/** A socket that was open for so long shows that sockets work here. */
const STABLE_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 600_000;

/** How many sockets in a row were of no use. */
export function countFailures(before: number, { ending, wasOpened, openMs }: Spell): number {
  return wasOpened && (isAtOnce(ending) || openMs >= STABLE_MS) ? 0 : before + 1;
}

/** Whether nothing went wrong that a pause would better. */
const isAtOnce = ({ kind }: Ending): boolean => kind === 'behind' || kind === 'left';

/**
 * The pause before the client opens the next socket, during which it polls. Clients of a restarting service return
 * at different times. `chance` is a number from 0 to 1.
 */
export function pauseBeforeSocket(failures: number, { ending, wasOpened }: Spell, chance: number): number {
  if (wasOpened && isAtOnce(ending)) return 0;
  const grownMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
  const pauseMs = grownMs * (0.25 + 0.75 * chance);
  return ending.kind === 'busy' ? Math.max(ending.pauseMs, pauseMs) : pauseMs;
}
