import { afterAll, beforeAll, beforeEach, vi } from 'vitest';

/** Several runs share the machine with other tests. */
export const PATIENCE = { timeout: 240_000 };

/** Silences the log of the service, which has each of the faults. */
export function silenceFaults(): void {
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });
}

/** A seed that no run had before, which is printed. */
export function freshSeed(): number {
  const seed = Math.floor(Math.random() * 2 ** 31);
  beforeAll(() => {
    console.log(`Fresh seed: ${seed}`);
  });
  return seed;
}
