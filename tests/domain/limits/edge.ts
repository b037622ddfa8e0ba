import { expect } from 'vitest';
import type { DeclaredError } from '#shared/domain/errors.ts';

/** A limited thing, with its greatest number, and the error for one more. */
export const edge = (what: string, most: number, refusal: string, attempt: (count: number) => unknown) => ({
  what,
  most,
  refusal,
  attempt,
});

export const outcomeOf = (attempt: () => unknown): string => {
  try {
    attempt();
    return 'taken';
  } catch (failure) {
    return (failure as DeclaredError).message;
  }
};

/** The most is taken, and one more is refused in words that name the limit. */
export function expectEdge({ most, refusal, attempt }: ReturnType<typeof edge>): void {
  expect(outcomeOf(() => attempt(most))).toBe('taken');
  expect(outcomeOf(() => attempt(most + 1))).toBe(refusal);
}

export const idsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** A text of so many characters, none of which takes only one unit of UTF-16. */
export const wide = (count: number): string => '𝒳'.repeat(count);
