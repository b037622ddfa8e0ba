import { expect, test } from 'vitest';
import { POLLER_CONFIG } from '#infra/poller/limits.ts';
import { POLLER_WORDS, watchAnswer, wordsFor } from '#infra/poller/watch.ts';
import { takeLogged } from '#tests/harness/logged-lines.ts';

const fine = { statusCode: 200, tookMs: 20, isRefused: false };

test.each([
  ['an answer', {}, undefined],
  ['an error of the client', { statusCode: 499 }, undefined],
  ['an error of the service', { statusCode: 500 }, POLLER_WORDS.failure],
  ['a poll that was held to its end', { tookMs: POLLER_CONFIG.pollHoldMs + 4_999 }, undefined],
  ['an answer five seconds before the front gives up', { tookMs: 55_000 }, POLLER_WORDS.late],
  ['a request that found no place', { statusCode: 429, isRefused: true }, POLLER_WORDS.refusal],
])('The log for the operator shows the important part of %s', (_what, answered, words) => {
  expect(wordsFor({ ...fine, ...answered })).toBe(words);
});

test('A reply is logged with the values for the operator, and nothing else', () => {
  watchAnswer(fine);
  expect(takeLogged()).toEqual([]);
  const refused = { statusCode: 429, tookMs: 3, isRefused: true };
  watchAnswer(refused);
  expect(takeLogged()).toEqual([{ level: 'error', message: POLLER_WORDS.refusal, ...refused }]);
});
