import type { Services } from '#shared/runtime/services.ts';
import type { Table } from '#shared/table/table.ts';
import { aroundCalls } from './table/table-with.ts';

/** No part of the product knows of it, so none may take it for an answer. */
class UnknownFailure extends Error {}

export type Verb = keyof Table;
export const WRITES: readonly Verb[] = ['write', 'increment', 'transact'];
export const READS: readonly Verb[] = ['find', 'findMany', 'page', 'list'];

/** Services of which one call of the table fails, and whether it came to that call. */
export interface Failing {
  services: Services;
  hasFailed(): boolean;
}

/** The n-th of the calls with one of these verbs fails, and has no effect. */
export function failsAt(services: Services, nth: number, verbs: readonly Verb[]): Failing {
  let calls = 0;
  const table = aroundCalls(services.table, async (call, verb) => {
    if (verbs.includes(verb) && ++calls === nth) throw new UnknownFailure(`The call ${verb} fails`);
    return call();
  });
  return { services: { ...services, table }, hasFailed: () => calls >= nth };
}
