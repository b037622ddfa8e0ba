import type { Services } from '#shared/runtime/services.ts';
import type { Item, Page, Table } from '#shared/table/table.ts';

/**
 * Makes the table of a service answer in another order if DynamoDB promises none: for the items of a batch, and for
 * the members of a set. Code that sorts afterwards still works.
 */
export function answerInAnyOrder(services: Services): void {
  const { table } = services;
  const inPage = ({ items, more }: Page): Page => ({ items: items.map(withMixedSets), more });
  services.table = {
    find: async (...given) => {
      const item = await table.find(...given);
      return item && withMixedSets(item);
    },
    findMany: async (...given) => mix(await table.findMany(...given)).map(withMixedSets),
    page: async (...given) => inPage(await table.page(...given)),
    list: async (...given) => (await table.list(...given)).map(withMixedSets),
    scanKeys: (...given) => table.scanKeys(...given),
    write: (...given) => table.write(...given),
    increment: (...given) => table.increment(...given),
    transact: (...given) => table.transact(...given),
  } satisfies Table;
}

const withMixedSets = (item: Item): Item =>
  Object.values(item).some((value) => value instanceof Set)
    ? Object.fromEntries(
        Object.entries(item).map(([name, value]) => [
          name,
          value instanceof Set ? new Set(mix([...value])) : value,
        ]),
      )
    : item;

/** An ascending list neither ascends nor descends afterwards. */
function mix<One>(ones: One[]): One[] {
  const mixed = ones.toReversed();
  return mixed.length < 3 ? mixed : [...mixed.splice(1, 1), ...mixed];
}
