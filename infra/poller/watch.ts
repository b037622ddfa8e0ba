import type { Answered } from '#infra/local/gateway/gateway.ts';
import { logLine } from '#shared/runtime/log.ts';
import { ANSWER_SECONDS } from './limits.ts';

/** Log lines that alarms count begin with these words. There are none while all is well. */
export const POLLER_WORDS = {
  failure: 'The poller failed',
  late: 'The poller answered late',
  refusal: 'The poller turned a client away',
};
/** An answer that takes longer is about to be cut off by the front. A poll is held for less. */
const LATE_MS = (ANSWER_SECONDS - 5) * 1000;

/** What an operator should know of an answer, if anything. */
export function wordsFor({ statusCode, tookMs, isRefused }: Answered): string | undefined {
  if (isRefused) return POLLER_WORDS.refusal;
  if (statusCode > 499) return POLLER_WORDS.failure;
  return tookMs >= LATE_MS ? POLLER_WORDS.late : undefined;
}

/** Logs what an operator should know of an answer. */
export function watchAnswer(answered: Answered): void {
  const words = wordsFor(answered);
  if (words) logLine('error', words, { ...answered });
}
