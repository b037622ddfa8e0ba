import {
  ConditionFailed,
  type Item,
  type Page,
  type Query,
  type Table,
  TransactionCanceled,
} from '#shared/table/table.ts';
import type { Call } from './random-calls.ts';

/** A table with the units of its calls. */
export interface MeteredTable {
  table: Table;
  used: { read: number; write: number };
}

/** The outcome of a call. */
export interface Outcome {
  answer?: unknown;
  failure?: unknown;
  units: { read: number; write: number };
}

/** Makes a call, and describes its outcome so that the outcomes of two tables can be compared. */
export async function outcomeOf({ table, used }: MeteredTable, call: Call): Promise<Outcome> {
  const before = { ...used };
  const described = await make(table, call).then(
    (answer) => ({ answer }),
    (failure) => ({ failure: describeFailure(failure) }),
  );
  return { ...described, units: { read: used.read - before.read, write: used.write - before.write } };
}

async function make(table: Table, call: Call): Promise<unknown> {
  if (call.verb === 'find') return table.find(call.key, call);
  if (call.verb === 'findMany') return inOrder(await table.findMany(call.keys, call));
  if (call.verb === 'page') return describePage(await table.page(call.query), call.query);
  if (call.verb === 'list') return table.list(call.query);
  if (call.verb === 'write') return table.write(call.write);
  if (call.verb === 'increment') return table.increment(call.key, 'n', call.by, call.set);
  return table.transact(call.writes, call.token);
}

/** A page that ends at its limit may say that there is more, whatever follows. */
const describePage = ({ items, more }: Page, { limit }: Query): Page | { items: Item[] } =>
  items.length === limit ? { items } : { items, more };

/** A batch is answered in any order. */
const inOrder = (items: Item[]): Item[] =>
  items.toSorted((a, b) => Buffer.compare(Buffer.from(nameOf(a)), Buffer.from(nameOf(b))));

const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** The refused write, and the conflicting item. The reasons of invalid requests differ in each table. */
function describeFailure(failure: unknown): unknown {
  if (failure instanceof ConditionFailed) return { refused: 'write', existing: failure.existing };
  if (failure instanceof TransactionCanceled && failure.failed.length > 0)
    return { refused: 'transaction', failed: failure.failed };
  return 'invalid';
}
