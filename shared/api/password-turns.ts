import { RateLimitHit } from '#shared/domain/errors.ts';

/** So many passwords are tried at the same moment: each takes a thread and its memory. */
const AT_ONCE = 2;
/** So many wait for that; with the default cost the last one waits for about two seconds. */
const MAX_WAITING = 100;
const RETRY_SECONDS = 5;

let working = 0;
const queue: (() => void)[] = [];

/** Does the work when it is its turn. @throws RateLimitHit when many wait already */
export async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (working < AT_ONCE) working++;
  else {
    if (queue.length >= MAX_WAITING) throw new RateLimitHit(RETRY_SECONDS);
    // The one that ends hands its place over, so that no other comes in between.
    await new Promise<void>((resolve) => queue.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else working--;
  }
}
