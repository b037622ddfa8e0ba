import type { Random } from './random.ts';

interface Timed {
  /** Not before. */
  fromMs: number;
}

/** A function that waits for its turn. Picking costs the same for ten and for ten thousand. */
export class Turns<One extends Timed> {
  readonly #ready: One[] = [];
  /** A heap: each is no later than the two below it, and of those at the same time the first that came is first. */
  #later: { one: One; order: number }[] = [];
  #count = 0;

  add(one: One): void {
    const heap = this.#later;
    heap.push({ one, order: this.#count++ });
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Takes any of those whose time has come; undefined when there is none. */
  take(nowMs: number, random: Random): One | undefined {
    while ((this.nextMs() ?? Infinity) <= nowMs) this.#ready.push(this.#shift());
    if (this.#ready.length === 0) return undefined;
    const at = random.between(0, this.#ready.length - 1);
    const one = this.#ready[at] as One;
    const last = this.#ready.pop() as One;
    if (at < this.#ready.length) this.#ready[at] = last;
    return one;
  }

  /** The time of the first that still has to wait. */
  nextMs(): number | undefined {
    return this.#later[0]?.one.fromMs;
  }

  /** Takes out all of a kind, in the order in which they came to wait. Looks at all that wait. */
  takeAll(isOne: (one: One) => boolean): One[] {
    const waiting = [...this.#later].sort((a, b) => a.order - b.order).map(({ one }) => one);
    const all = [...this.#ready, ...waiting];
    this.#ready.length = 0;
    this.#later = [];
    for (const one of all) if (!isOne(one)) this.add(one);
    return all.filter(isOne);
  }

  #shift(): One {
    const heap = this.#later;
    this.#swap(0, heap.length - 1);
    const { one } = heap.pop() as { one: One };
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let first = at;
      if (left < heap.length && this.#isBefore(left, first)) first = left;
      if (right < heap.length && this.#isBefore(right, first)) first = right;
      if (first === at) return one;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#later[a], this.#later[b]];
    if (!first || !second) return false;
    return (
      first.one.fromMs < second.one.fromMs ||
      (first.one.fromMs === second.one.fromMs && first.order < second.order)
    );
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#later[a], this.#later[b]];
    if (!first || !second) return;
    this.#later[a] = second;
    this.#later[b] = first;
  }
}
