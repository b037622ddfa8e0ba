import type { Item } from '#shared/table/table.ts';
import { InvalidRequest } from './invalid-request.ts';

/** An item as the file holds it. */
export interface PackedItem {
  json: string;
  /** Whether the JSON contains values that JSON itself does not have: sets and bytes. */
  isTagged: boolean;
  /** The size by which DynamoDB counts capacity: names and values. */
  bytes: number;
}

const MAX_ITEM_BYTES = 400 * 1024;
const MAX_DEPTH = 32;
/** DynamoDB stores numbers from 1e-130 to 9.99…e125. Those above this limit would lose digits. */
const SMALLEST_NUMBER = 1e-130;
/** Lists and maps take three bytes, and one for each element. */
const CONTAINER_BYTES = 3;

/** Begins the names that tag sets and bytes; a map with such a name is tagged as well. */
const TAG = '\u0000';
const TAGS = { numbers: `${TAG}NS`, texts: `${TAG}SS`, bytes: `${TAG}B`, map: `${TAG}M` };

/**
 * Converts an item to JSON and measures it. Attributes that are undefined are left out.
 * @throws InvalidRequest for what DynamoDB or its SDK refuse: unsupported values, empty sets, more than 400 KB
 */
export function packItem(item: Item): PackedItem {
  const measure = new Measure();
  const bytes = measure.map(item, 0);
  if (bytes > MAX_ITEM_BYTES) throw new InvalidRequest('Item size has exceeded the maximum allowed size');
  const { isTagged } = measure;
  return { json: JSON.stringify(isTagged ? tagged(item) : item), isTagged, bytes };
}

/** The item of a row; each call returns new objects. */
export function unpackItem(json: string, isTagged: boolean): Item {
  const item = JSON.parse(json) as Item;
  return isTagged ? (untagged(item) as Item) : item;
}

/** @throws InvalidRequest if DynamoDB cannot hold the value */
export function checkValue(value: unknown): void {
  new Measure().value(value, 1);
}

/** Adds up the bytes of values, and notes whether any of them needs a tag. */
class Measure {
  isTagged = false;

  map(map: Item, depth: number): number {
    let bytes = 0;
    for (const name in map) {
      const value = map[name];
      if (value === undefined) continue;
      if (name.startsWith(TAG)) this.isTagged = true;
      bytes += byteLength(name) + this.value(value, depth + 1);
    }
    return bytes;
  }

  value(value: unknown, depth: number): number {
    if (typeof value === 'string') return byteLength(value);
    if (typeof value === 'number') return numberBytes(value);
    if (typeof value === 'boolean' || value === null) return 1;
    if (depth > MAX_DEPTH) throw new InvalidRequest('Nesting levels have exceeded supported limits');
    if (Array.isArray(value)) return this.#list(value, depth);
    if (isPlainObject(value)) return CONTAINER_BYTES + countOf(value) + this.map(value, depth);
    this.isTagged = true;
    if (value instanceof Uint8Array) return value.byteLength;
    if (value instanceof Set) return setBytes(value);
    throw new InvalidRequest(`Unsupported value of type ${typeof value}`);
  }

  #list(list: unknown[], depth: number): number {
    let bytes = CONTAINER_BYTES;
    for (const element of list) {
      // Undefined elements are left out, which JSON does not do.
      if (element === undefined) this.isTagged = true;
      else bytes += 1 + this.value(element, depth + 1);
    }
    return bytes;
  }
}

/** Byte lengths of short ASCII texts, which most names and values are, need no call into the runtime. */
function byteLength(text: string): number {
  if (text.length > 32) return Buffer.byteLength(text);
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return Buffer.byteLength(text);
  return text.length;
}

const isPlainObject = (value: unknown): value is Item =>
  typeof value === 'object' && (value?.constructor ?? Object) === Object;

function countOf(map: Item): number {
  let count = 0;
  for (const name in map) if (map[name] !== undefined) count++;
  return count;
}

/** One byte per two significant digits on either side of the point, one more, and one for a sign. */
function numberBytes(value: number): number {
  if (Number.isSafeInteger(value)) return integerBytes(Math.abs(value)) + (value < 0 ? 1 : 0);
  if (!Number.isFinite(value)) throw new InvalidRequest(`Unsupported number ${value}`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || (value !== 0 && Math.abs(value) < SMALLEST_NUMBER))
    throw new InvalidRequest(`The number ${value} cannot be stored exactly`);
  const [whole = '', fraction = ''] = decimalOf(Math.abs(value)).split('.');
  const digits = whole.replace(/^0+/, '');
  return Math.ceil(digits.length / 2) + Math.ceil(fraction.length / 2) + 1 + (value < 0 ? 1 : 0);
}

/** Zeros at the end are not significant. */
function integerBytes(value: number): number {
  let significant = value;
  while (significant > 0 && significant % 10 === 0) significant /= 10;
  let bytes = 1;
  for (; significant > 0; significant = Math.floor(significant / 100)) bytes++;
  return bytes;
}

/** The digits of a number, without an exponent. */
export function decimalOf(value: number): string {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  const sign = value < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${mantissa.replace(/[-.]/g, '')}`;
}

function setBytes(set: Set<unknown>): number {
  if (set.size === 0) throw new InvalidRequest('A set may not be empty');
  const [first] = set;
  let bytes = 0;
  for (const member of set) {
    if (typeof member !== typeof first || (typeof member !== 'number' && typeof member !== 'string'))
      throw new InvalidRequest('Sets contain either numbers or texts');
    bytes += typeof member === 'number' ? numberBytes(member) : byteLength(member);
  }
  return bytes;
}

function tagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(tagged);
  if (value instanceof Set) {
    const members = [...value];
    return { [typeof members[0] === 'number' ? TAGS.numbers : TAGS.texts]: members };
  }
  if (value instanceof Uint8Array) return { [TAGS.bytes]: Buffer.from(value).toString('base64') };
  const map: Item = {};
  let needsTag = false;
  for (const [name, element] of Object.entries(value)) {
    map[name] = tagged(element);
    needsTag ||= name.startsWith(TAG);
  }
  return needsTag ? { [TAGS.map]: map } : map;
}

function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(untagged);
  const map = value as Item;
  for (const name in map) {
    if (name === TAGS.numbers || name === TAGS.texts) return new Set(map[name] as unknown[]);
    if (name === TAGS.bytes) return Uint8Array.from(Buffer.from(map[name] as string, 'base64'));
    if (name === TAGS.map) return untaggedParts(map[name] as Item);
    break;
  }
  return untaggedParts(map);
}

function untaggedParts(map: Item): Item {
  for (const name in map) map[name] = untagged(map[name]);
  return map;
}
