/** Random numbers that depend on a seed alone, so that a run can be repeated. */
export class Random {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#state = seed;
  }

  /** Numbers of their own for one purpose, whatever else is drawn in between. */
  fork(purpose: string): Random {
    let seed = this.#seed;
    for (const character of purpose) seed = Math.imul(seed ^ character.charCodeAt(0), 0x5bd1e995);
    return new Random(seed);
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of at least `least` and at most `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<One>(all: readonly One[]): One {
    const one = all[this.between(0, all.length - 1)];
    if (one === undefined) throw new Error('There is nothing to pick from');
    return one;
  }
}
