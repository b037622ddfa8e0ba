import type { Services } from '#shared/runtime/services.ts';
import type { Table, Write } from '#shared/table/table.ts';

/** Whether a transaction is the last thing that a process does. */
type IsLast = (writes: Write[]) => boolean;

/** The services of a process that dies right after a transaction: it took effect, and nothing comes after it. */
export function diesAfter(services: Services, isLast: IsLast): Services {
  let isDead = false;
  const table = new Proxy<Table>(services.table, {
    get(target, name: keyof Table) {
      const verb = target[name] as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        if (isDead) throw new Error('The process is dead');
        const result = await verb.apply(target, given);
        if (name !== 'transact' || !isLast(given[0] as Write[])) return result;
        isDead = true;
        throw new Error('The process dies');
      };
    },
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
