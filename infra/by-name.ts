/** The order of names. */
export const byName = (left: string, other: string): number => Number(left > other) - Number(left < other);
