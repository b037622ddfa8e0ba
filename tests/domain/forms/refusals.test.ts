import { expect, test } from 'vitest';
import { BadRequest } from '#shared/domain/errors.ts';
import { unlessRefused } from '#shared/domain/unless-refused.ts';

const throwing = (failure: unknown) => (): string => {
  throw failure;
};

test('A refusal is the result of a decision, and other errors end the request', () => {
  const refusal = new BadRequest('Not that');
  const failure = new TypeError('There is no such method');
  expect(unlessRefused(() => 'done')).toBe('done');
  expect(unlessRefused(throwing(refusal))).toBe(refusal);
  expect(() => unlessRefused(throwing(failure))).toThrow(failure);
});
