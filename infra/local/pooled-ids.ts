import { randomFillSync } from 'node:crypto';
import { type Ids, randomIds } from '#shared/runtime/ids.ts';

const ID_BYTES = 6;
const pool = Buffer.allocUnsafe(ID_BYTES * 512);
let at = pool.length;

/** Random ids of a process that needs many: their bytes come from the system a few hundred at a time. */
export const pooledIds: Ids = {
  ...randomIds,
  writeId() {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const from = at;
    at += ID_BYTES;
    return pool.toString('base64url', from, at);
  },
};
