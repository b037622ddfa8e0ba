import { describe, expect, test } from 'vitest';
import { dollarsOf, dollarsOfCalls } from '#infra/prices.ts';

/** As on the price pages of AWS: for a million requests, or for the named unit. */
const MILLION = 1e6;

describe('The computed price', () => {
  test('For units is the sum of reads and writes', () => {
    expect(dollarsOf({ read: 8 * MILLION, write: 0 })).toBeCloseTo(1, 9);
    expect(dollarsOf({ read: 0, write: 8 * MILLION })).toBeCloseTo(5, 9);
    expect(dollarsOf({ read: 8 * MILLION, write: 8 * MILLION })).toBeCloseTo(6, 9);
  });

  test('For requests is the sum of gateway, functions and their memory', () => {
    expect(dollarsOfCalls(MILLION, 0)).toBeCloseTo(1.2, 9);
    expect(dollarsOfCalls(0, MILLION)).toBeCloseTo(13.3334, 9);
    expect(dollarsOfCalls(MILLION, MILLION)).toBeCloseTo(14.5334, 9);
  });
});
