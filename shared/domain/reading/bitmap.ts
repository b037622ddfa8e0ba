/** A set of small numbers, one bit each; trailing zeros are omitted. */
export type Bitmap = Uint8Array;

export const emptyBitmap: Bitmap = new Uint8Array(0);

export const hasBit = (bitmap: Bitmap, index: number): boolean =>
  ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

export function withBits(bitmap: Bitmap, indexes: number[]): Bitmap {
  const highest = indexes.reduce((most, index) => Math.max(most, index), -1);
  const next = new Uint8Array(Math.max(bitmap.length, (highest >> 3) + 1));
  next.set(bitmap);
  for (const index of indexes) next[index >> 3] = (next[index >> 3] ?? 0) | (1 << (index & 7));
  return next;
}

export function withoutBits(bitmap: Bitmap, indexes: number[]): Bitmap {
  const next = Uint8Array.from(bitmap);
  // Writes beyond the end of a byte array are ignored.
  for (const index of indexes) next[index >> 3] = (next[index >> 3] ?? 0) & ~(1 << (index & 7));
  return next.subarray(0, next.findLastIndex((byte) => byte !== 0) + 1);
}

/** The numbers in the set, ascending. */
export function bitsOf(bitmap: Bitmap): number[] {
  const indexes: number[] = [];
  for (const [at, byte] of bitmap.entries()) {
    if (byte === 0) continue;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) indexes.push(at * 8 + bit);
  }
  return indexes;
}
