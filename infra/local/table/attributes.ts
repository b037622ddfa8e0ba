import type { Item } from '#shared/table/table.ts';

/** A value as DynamoDB writes it in JSON: its type, and the value. */
export type Attribute = Record<string, unknown>;
export type Attributes = Record<string, Attribute>;

/** Attributes that are undefined are left out. */
export function toAttributes(item: Item): Attributes {
  const attributes: Attributes = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

export function fromAttributes(attributes: Attributes): Item {
  const item: Item = {};
  for (const name in attributes) item[name] = fromAttribute(attributes[name] ?? {});
  return item;
}

/** @throws TypeError for what the SDK refuses to write too */
function toAttribute(value: unknown): Attribute {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: textOf(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(toAttribute) };
  if (value instanceof Set) return toSet([...value]);
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (isPlain(value)) return { M: toAttributes(value) };
  throw new TypeError(`The table cannot hold a ${typeof value} such as this`);
}

const isPlain = (value: unknown): value is Item =>
  typeof value === 'object' && (value?.constructor ?? Object) === Object;

function toSet(members: unknown[]): Attribute {
  if (members.length === 0) throw new TypeError('The table cannot hold an empty set');
  if (members.every((one) => typeof one === 'number')) return { NS: members.map(textOf) };
  if (members.every((one) => typeof one === 'string')) return { SS: members };
  throw new TypeError('The table holds sets of numbers and of texts only');
}

function textOf(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new TypeError(`The table cannot hold ${value} exactly`);
  return String(value);
}

function fromAttribute(attribute: Attribute): unknown {
  for (const type in attribute) {
    const value = attribute[type];
    if (type === 'S' || type === 'BOOL') return value;
    if (type === 'N') return Number(value);
    if (type === 'L') return (value as Attribute[]).map(fromAttribute);
    if (type === 'M') return fromAttributes(value as Attributes);
    if (type === 'NS') return new Set((value as string[]).map(Number));
    if (type === 'SS') return new Set(value as string[]);
    if (type === 'B') return Uint8Array.from(Buffer.from(value as string, 'base64'));
    if (type === 'NULL') return null;
  }
  throw new TypeError('The engine answered with an attribute of an unknown type');
}
