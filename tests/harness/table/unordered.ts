import type { Services } from '#shared/runtime/services.ts';
import type { Item, Page } from '#shared/table/table.ts';
import { tableWith } from './table-with.ts';

/**
 * Makes the table of a service answer in another order if DynamoDB promises none: for the items of a batch, and for
 * the members of a set. Code that sorts afterwards still works.
 */
export function answerInAnyOrder(services: Services): void {
  const { table } = services;
  const inPage = ({ items, more }: Page): Page => ({ items: items.map(withMixedSets), more });
  services.table = tableWith(table, {
    find: async (...args) => {
      const item = await table.find(...args);
      return item && withMixedSets(item);
    },
    findMany: async (...args) => mix(await table.findMany(...args)).map(withMixedSets),
    page: async (...args) => inPage(await table.page(...args)),
    list: async (...args) => (await table.list(...args)).map(withMixedSets),
  });
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
function mix<Thing>(things: Thing[]): Thing[] {
  const mixed = things.toReversed();
  return mixed.length < 3 ? mixed : [...mixed.splice(1, 1), ...mixed];
}
