import type { Condition, Item, Write } from '#shared/table/table.ts';
import { InvalidRequest } from './invalid-request.ts';
import { checkValue, decimalOf } from './packed-item.ts';

type Update = Extract<Write, { kind: 'update' }>;

/** Whether the condition holds for an item, which is undefined if there is none. */
export function holds(condition: Condition, existing: Item | undefined): boolean {
  const { exists, equals, differs, belowOrAbsent, above, absent = [] } = condition;
  const item = existing ?? {};
  return (
    (exists === undefined || exists === (existing !== undefined)) &&
    holdsForEach(equals, (name, value) => isSame(item[name], value)) &&
    holdsForEach(differs, (name, value) => !isSame(item[name], value)) &&
    holdsForEach(belowOrAbsent, (name, value) => item[name] === undefined || isBelow(item[name], value)) &&
    holdsForEach(above, (name, value) => isBelow(value, item[name])) &&
    absent.every((name) => item[name] === undefined)
  );
}

/** Without a list of the entries: every write of a local server passes here. */
function holdsForEach(
  compared: Readonly<Record<string, unknown>> | undefined,
  test: (name: string, value: unknown) => boolean,
): boolean {
  for (const name in compared) if (!test(name, compared[name])) return false;
  return true;
}

/** @throws InvalidRequest for a condition without any part, or with a value that DynamoDB cannot hold */
export function checkCondition({ exists, absent = [], ...compared }: Condition): void {
  const values = Object.values(compared).flatMap((part) => Object.values(part ?? {}));
  if (exists === undefined && absent.length === 0 && values.length === 0)
    throw new InvalidRequest('The condition is empty');
  for (const value of values) checkValue(value);
}

/** @throws InvalidRequest for an update of nothing, of the key, of one attribute twice, or to an unsupported value */
export function checkUpdate({ set = {}, remove = [], add = {}, take = {} }: Update): void {
  const names = [...Object.keys(defined(set)), ...remove, ...Object.keys(add), ...Object.keys(take)];
  if (names.length === 0) throw new InvalidRequest('The update is empty');
  if (names.includes('pk') || names.includes('sk'))
    throw new InvalidRequest('An update may not change a key');
  if (new Set(names).size < names.length)
    throw new InvalidRequest('An update may change an attribute only once');
  for (const values of [defined(set), add, take])
    for (const value of Object.values(values)) checkValue(value);
}

/**
 * The item after an update; the given one is not changed.
 * @throws InvalidRequest for a number or set that is added to another type
 */
export function updated(
  { key, set = {}, remove = [], add = {}, take = {} }: Update,
  existing: Item | undefined,
): Item {
  const item: Item = { ...(existing ?? key), ...defined(set) };
  for (const name of remove) delete item[name];
  for (const name in add) item[name] = sumOf(item[name], add[name] as number | Set<number>);
  for (const name in take) {
    const left = differenceOf(item[name], take[name] as Set<number>);
    if (left === undefined || left.size === 0) delete item[name];
    else item[name] = left;
  }
  return item;
}

/** The item itself, unless it has attributes that are undefined. */
const defined = (item: Item): Item =>
  Object.values(item).includes(undefined)
    ? Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
    : item;

function sumOf(value: unknown, added: number | Set<number>): number | Set<number> {
  if (typeof added === 'number') {
    if (value !== undefined && typeof value !== 'number')
      throw new InvalidRequest('A number can only be added to a number');
    return plus(value ?? 0, added);
  }
  if (value !== undefined && !isNumberSet(value))
    throw new InvalidRequest('Numbers can only be added to a set of numbers');
  return new Set([...(value ?? []), ...added]);
}

/** DynamoDB adds decimal numbers, where 0.1 and 0.2 are 0.3. */
function plus(a: number, b: number): number {
  if (Number.isInteger(a) && Number.isInteger(b)) return a + b;
  const digits = Math.max(...[a, b].map((number) => decimalOf(number).split('.')[1]?.length ?? 0));
  const scaled = (number: number): bigint => {
    const [whole = '', fraction = ''] = decimalOf(number).split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  };
  return Number(`${scaled(a) + scaled(b)}e-${digits}`);
}

function differenceOf(value: unknown, taken: Set<number>): Set<number> | undefined {
  if (value === undefined) return undefined;
  if (!isNumberSet(value)) throw new InvalidRequest('Numbers can only be taken from a set of numbers');
  return new Set([...value].filter((member) => !taken.has(member)));
}

const isNumberSet = (value: unknown): value is Set<number> => {
  if (!(value instanceof Set)) return false;
  const [member] = value;
  return typeof member === 'number';
};

/** Numbers and texts are ordered among themselves; no other values are. Texts are compared as UTF-8. */
function isBelow(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  return false;
}

/** Whether DynamoDB takes two values for the same; undefined, an absent attribute, is like no value. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return a !== undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Set)
    return b instanceof Set && a.size === b.size && [...a].every((member) => b.has(member));
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a.filter(isDefined), b.filter(isDefined));
  return (
    !Array.isArray(b) && !(b instanceof Set) && !(b instanceof Uint8Array) && isSameMap(a as Item, b as Item)
  );
}

const isDefined = (value: unknown): boolean => value !== undefined;

const isSameList = (a: unknown[], b: unknown[]): boolean =>
  a.length === b.length && a.every((element, at) => isSame(element, b[at]));

function isSameMap(a: Item, b: Item): boolean {
  const names = Object.keys(a).filter((name) => a[name] !== undefined);
  const others = Object.keys(b).filter((name) => b[name] !== undefined);
  return names.length === others.length && names.every((name) => isSame(a[name], b[name]));
}
