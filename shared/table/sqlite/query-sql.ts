import { tableDefinition } from '../definition.ts';
import type { Item, Query } from '../table.ts';
import { InvalidRequest } from './invalid-request.ts';

interface QuerySql {
  /** What follows FROM. */
  source: string;
  parameters: (string | number | Buffer)[];
}

/** The name of the partition, of the table or of an index, that a query reads. */
export const partitionOf = ({ index, partition }: Pick<Query, 'index' | 'partition'>): string =>
  index === undefined ? partition : `${index}/${partition}`;

/**
 * The rows within the bounds of a query, in order, from after an item on.
 * @throws InvalidRequest for bounds that exclude each other, as DynamoDB does
 */
export function querySql(query: Query, after: Item | undefined): QuerySql {
  const index = tableDefinition.indexes.find(({ name }) => name === query.index);
  const { partitionKey, sortKey } = index ?? tableDefinition;
  const key = [tableDefinition.partitionKey, tableDefinition.sortKey];
  const order: string[] = index ? [...new Set([sortKey, ...key])] : [sortKey];
  const conditions = [`${partitionKey} = ?`];
  const parameters: QuerySql['parameters'] = [query.partition];
  const add = (condition: string, ...values: QuerySql['parameters']): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  const { prefix, from, to, backwards } = query;
  if (prefix !== undefined)
    add(`${sortKey} >= ? AND ${sortKey} < CAST(? AS TEXT)`, prefix, afterPrefix(prefix));
  else {
    if (isAbove(from, to)) throw new InvalidRequest('The lower bound of a query is above the upper one');
    if (from !== undefined) add(`${sortKey} >= ?`, from);
    if (to !== undefined) add(`${sortKey} <= ?`, to);
  }
  if (after)
    add(
      `(${order.join(', ')}) ${backwards ? '<' : '>'} (${order.map(() => '?').join(', ')})`,
      ...order.map((name) => after[name] as string),
    );
  const rows = index ? `items INDEXED BY ${index.name}` : 'items';
  const ordered = order.map((name) => (backwards ? `${name} DESC` : name)).join(', ');
  return { source: `${rows} WHERE ${conditions.join(' AND ')} ORDER BY ${ordered}`, parameters };
}

/** Above every text with the prefix: SQLite compares bytes, and no UTF-8 contains this one. */
const afterPrefix = (prefix: string): Buffer => Buffer.concat([Buffer.from(prefix), Buffer.of(0xff)]);

function isAbove(from: string | number | undefined, to: string | number | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  if (typeof from === 'number' || typeof to === 'number') return Number(from) > Number(to);
  return Buffer.compare(Buffer.from(from), Buffer.from(to)) > 0;
}
