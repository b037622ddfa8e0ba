import { type Arrears, type Fields, postpone } from '#shared/domain/snapshot/arrears.ts';
import type { Config } from '#shared/runtime/config.ts';
import { fitsCompressed } from './pack-reply.ts';

interface Circumstances {
  userId: number;
  acceptsGzip: boolean;
  room: Config['snapshotBytes'];
}

/** As much of a snapshot as one reply holds, and what it does not: the queue tells that first. */
export async function fitSnapshot(
  all: Fields,
  { userId, acceptsGzip, room }: Circumstances,
): Promise<{ fields: Fields; arrears: Arrears }> {
  const plain = () => postpone(all, { bytes: room.plain, userId });
  if (!acceptsGzip) return plain();
  const compressed = postpone(all, { bytes: room.compressed, userId });
  return (await fitsCompressed(JSON.stringify(compressed.fields))) ? compressed : plain();
}
