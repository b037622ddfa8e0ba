/** The order of names. */
export const byName = (one: string, other: string): number => Number(one > other) - Number(one < other);
