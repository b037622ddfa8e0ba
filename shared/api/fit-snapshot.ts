import { type DeferredThings, type Fields, postpone } from '#shared/domain/snapshot/deferred.ts';
import type { Config } from '#shared/runtime/config.ts';
import { fitsCompressed } from './envelope.ts';

interface Circumstances {
  /** Absent for anonymous callers. */
  userId?: number;
  acceptsGzip: boolean;
  room: Config['snapshotBytes'];
}

/** Splits a snapshot: as much as fits into one reply, and the rest, which the queue delivers first. */
export async function fitSnapshot(
  all: Fields,
  { acceptsGzip, room, ...who }: Circumstances,
): Promise<{ fields: Fields; deferred: DeferredThings }> {
  const plain = () => postpone(all, { bytes: room.plain, ...who });
  if (!acceptsGzip) return plain();
  const compressed = postpone(all, { bytes: room.compressed, ...who });
  return (await fitsCompressed(JSON.stringify(compressed.fields))) ? compressed : plain();
}
