/** The items in parts of `size` each, in order; the last part may be shorter. */
export const chunksOf = <One>(items: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
