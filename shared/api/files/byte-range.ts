import { RangeNotSatisfiable } from '#shared/domain/uploads/errors.ts';

/** Zero-based, inclusive, and within the file. */
export interface ByteRange {
  first: number;
  last: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)[ \t]*-[ \t]*(\d*)[ \t]*$/i;

/**
 * The range of a file of this size that a `Range` header requests (RFC 9110, section 14). Undefined when the
 * whole file is the answer: no header, several ranges, another unit, or an invalid header.
 * @throws RangeNotSatisfiable
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = SINGLE.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to);
  if (last < first) return undefined;
  if (first >= size) throw new RangeNotSatisfiable(size);
  return { first, last: Math.min(last, size - 1) };
}

function lastBytes(count: number, size: number): ByteRange {
  if (count === 0 || size === 0) throw new RangeNotSatisfiable(size);
  return { first: Math.max(0, size - count), last: size - 1 };
}
