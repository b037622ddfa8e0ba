import { RateLimitHit } from '#shared/domain/errors.ts';

/** Passwords hashed in parallel: each takes a thread and its memory. */
const AT_ONCE = 2;
/** Length of the waiting queue; at the default cost the last one waits for about two seconds. */
const MAX_WAITING = 100;
const RETRY_SECONDS = 5;

let working = 0;
const queue: (() => void)[] = [];

/** Runs the work when its turn comes. @throws RateLimitHit when the queue is full */
export async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (working < AT_ONCE) working++;
  else {
    if (queue.length >= MAX_WAITING) throw new RateLimitHit(RETRY_SECONDS);
    // The one that finishes hands over its place, so that no newcomer takes it.
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
