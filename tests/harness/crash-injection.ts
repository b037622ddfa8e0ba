import type { Services } from '#shared/runtime/services.ts';
import type { Write } from '#shared/table/table.ts';
import { aroundCalls } from './table/table-with.ts';

/** Whether a transaction is the last thing that a process does. */
type IsLast = (writes: Write[]) => boolean;

/** The services of a process that dies right after a transaction: it took effect, and nothing comes after it. */
export function diesAfter(services: Services, isLast: IsLast): Services {
  let isDead = false;
  const table = aroundCalls(services.table, async (call, verb, [writes]) => {
    if (isDead) throw new Error('The process is dead');
    const result = await call();
    if (verb !== 'transact' || !isLast(writes as Write[])) return result;
    isDead = true;
    throw new Error('The process dies');
  });
  return { ...services, table };
}

/** Stored data of requests with a key, among the writes of a transaction. */
const keptIn = (writes: Write[]) =>
  writes.flatMap((write) =>
    write.kind === 'put' && write.item.pk.startsWith('KEYED_REQUESTS#') ? [write.item] : [],
  );

/** The answer was stored with the created thing. */
export const keepsAnswer: IsLast = (writes) => keptIn(writes).some(({ answer }) => answer !== undefined);
/** The progress of the request was stored with a part of the created things. */
export const keepsProgress: IsLast = (writes) =>
  keptIn(writes).some(({ progress }) => progress !== undefined);
