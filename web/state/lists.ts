import { foldName } from './names.ts';

export const ascending = (a: number, b: number): number => a - b;

export const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** The order of names, small or capital. */
export const byFolded = (a: string, b: string): number => byText(foldName(a), foldName(b));

/** The list with other items where they match; the same list where none does. */
export function changeWhere<Item>(
  list: Item[],
  isMeant: (item: Item) => boolean,
  change: (item: Item) => Item,
): Item[] {
  let result: Item[] | undefined;
  list.forEach((item, index) => {
    if (!isMeant(item)) return;
    result ??= [...list];
    result[index] = change(item);
  });
  return result ?? list;
}

/** The list without the items that match; the same list where none does. */
export function withoutWhere<Item>(list: Item[], isGone: (item: Item) => boolean): Item[] {
  return list.some(isGone) ? list.filter((item) => !isGone(item)) : list;
}

/** The known list if the new one has the same items in the same order, so that views see no change. */
export const keepSame = <Item>(known: readonly Item[] | undefined, next: Item[]): Item[] =>
  known?.length === next.length && next.every((item, index) => Object.is(item, known[index]))
    ? (known as Item[])
    : next;
