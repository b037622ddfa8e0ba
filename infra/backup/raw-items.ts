import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { byName } from '../by-name.ts';

/** An item as DynamoDB holds it: numbers are texts, so none is rounded. */
export type RawItem = Record<string, AttributeValue>;

/** Reads and writes a table item by item, whatever the items are. */
export interface RawTable {
  /** The items in pages of about 1 MB, each with the key to continue from. */
  scan(after?: RawItem): AsyncIterable<{ items: RawItem[]; after: RawItem | undefined }>;
  find(key: { pk: string; sk: string }): Promise<RawItem | undefined>;
  put(items: RawItem[]): Promise<void>;
  remove(keys: RawItem[]): Promise<void>;
}

/** The line of an item: binary values in base64, as DynamoDB's exports have them. Equal items have equal lines. */
export const toLine = (item: RawItem): string =>
  `${JSON.stringify({ Item: item }, (_key, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    return isRecord(value) ? inOrder(value) : value;
  })}\n`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** DynamoDB returns maps and sets in any order. */
const inOrder = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record)
      .sort(([name], [other]) => byName(name, other))
      .map(([name, value]) => [name, /^[NS]S$/.test(name) && isTexts(value) ? value.toSorted() : value]),
  );

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((candidate) => typeof candidate === 'string');

export const fromLine = (line: string): RawItem =>
  mapValues((JSON.parse(line) as { Item: RawItem }).Item, withBytes);

/** No `Buffer`, which writes itself down in another way. */
const bytesOf = (base64: unknown): Uint8Array => Uint8Array.from(Buffer.from(String(base64), 'base64'));

function withBytes(value: AttributeValue): AttributeValue {
  if (value.B !== undefined) return { B: bytesOf(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(bytesOf) };
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  if (value.M !== undefined) return { M: mapValues(value.M, withBytes) };
  return value;
}

const mapValues = <One>(record: Record<string, One>, change: (value: One) => One): Record<string, One> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
