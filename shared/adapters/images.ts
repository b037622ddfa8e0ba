import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BadImage, RateLimitHit } from '#shared/domain/errors.ts';
import type { Images } from '#shared/runtime/services.ts';
import type { ImageAnswer, ImageOrder } from './image-worker.ts';

/** The time limit per picture. The largest ones take a few seconds. */
const BUDGET_MS = 12_000;
/** The maximum number of waiting pictures. */
const MAX_WAITING = 16;
const RETRY_SECONDS = 5;

let worker: Worker | undefined;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Pictures by libvips as WebAssembly: the same file on every platform, in a thread with limits for time and
 * memory. Decodes one picture at a time.
 */
export const vipsImages: Images = {
  shrink(bytes, shapes) {
    if (waiting >= MAX_WAITING) return Promise.reject(new RateLimitHit(RETRY_SECONDS));
    waiting++;
    const turn = last.then(() => order({ bytes, shapes })).finally(() => waiting--);
    last = turn.catch(() => {});
    return turn;
  },
};

/** A failed thread ends before the next picture, which gets another one. */
async function order(what: ImageOrder) {
  worker ??= start();
  const asked = worker;
  const answer = await sendOrder(asked, what);
  if ('shrunk' in answer) return answer.shrunk;
  if (answer.isSpoilt) await asked.terminate();
  throw new BadImage(answer.refusal);
}

/** Starts the thread at the first picture; its path comes from the function's environment. */
function start(): Worker {
  const file = process.env.IMAGE_WORKER ?? new URL('./image-worker.ts', import.meta.url);
  const started = new Worker(file, { execArgv: [] });
  started.once('exit', () => {
    worker = undefined;
  });
  // An idle thread must not keep the process alive.
  started.unref();
  return started;
}

/** @throws BadImage after the time limit, or the failure of the thread */
async function sendOrder(asked: Worker, what: ImageOrder): Promise<ImageAnswer> {
  asked.ref();
  const budget = AbortSignal.timeout(BUDGET_MS);
  try {
    asked.postMessage(what);
    const [answer] = await once(asked, 'message', { signal: budget });
    return answer;
  } catch (failure) {
    await asked.terminate();
    throw budget.aborted ? new BadImage('Image size exceeds limit') : failure;
  } finally {
    asked.unref();
  }
}
