import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key } from '#shared/table/keys/key.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { withCalls } from './log.ts';
import type { TestService } from './service.ts';

type Verb = keyof Table;
/** Calls of a table by their first argument: a key, keys, a query, a write or writes. */
export type Calls = { [Name in Verb]?: (subject: Parameters<Table[Name]>[0]) => boolean };

/** Whether a call reads the item with a key, for the nth time. */
export function reads({ pk, sk }: Key, nth = 1): (key: Key) => boolean {
  let count = 0;
  return (key) => key.pk === pk && key.sk === sk && ++count === nth;
}

/** Whether one of the writes of a call is of the item with a key. */
export const writes =
  ({ pk, sk }: Key) =>
  (written: Write | Write[]): boolean =>
    [written].flat().some((write) => {
      const key = write.kind === 'put' ? write.item : write.key;
      return key.pk === pk && key.sk === sk;
    });

/**
 * Does something once, right before the service sends the first of these calls to its table, like a concurrent
 * request. Returns whether it has been done.
 */
export function interrupt(
  { services }: TestService,
  calls: Calls,
  act: () => unknown,
): { hasHappened(): boolean } {
  const { table } = services;
  const apart = AsyncLocalStorage.snapshot();
  let hasHappened = false;
  const others = Object.entries(calls).map(([name, isIt]) => {
    const verb = table[name as Verb].bind(table) as (...args: unknown[]) => unknown;
    return [
      name,
      async (...args: unknown[]) => {
        if (!hasHappened && (isIt as (subject: unknown) => boolean)(args[0])) {
          hasHappened = true;
          await apart(act);
        }
        return verb(...args);
      },
    ];
  });
  services.table = withCalls(services, () => Object.fromEntries(others) as Partial<Table>).table;
  return { hasHappened: () => hasHappened };
}
