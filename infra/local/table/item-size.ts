import type { Attribute, Attributes } from './attributes.ts';

/** The bytes of an item by which DynamoDB counts units: names and values, without the marks between them in JSON. */
export function sizeOf(attributes: Attributes): number {
  let bytes = 0;
  for (const name in attributes) bytes += Buffer.byteLength(name) + sizeOfValue(attributes[name] ?? {});
  return bytes;
}

/** Lists and maps take three bytes, and one for each part. */
function sizeOfValue(attribute: Attribute): number {
  for (const type in attribute) {
    const value = attribute[type];
    if (type === 'S') return Buffer.byteLength(value as string);
    if (type === 'N') return sizeOfNumber(value as string);
    if (type === 'L') return 3 + sum((value as Attribute[]).map((one) => 1 + sizeOfValue(one)));
    if (type === 'M') return 3 + Object.keys(value as Attributes).length + sizeOf(value as Attributes);
    if (type === 'SS') return sum((value as string[]).map((one) => Buffer.byteLength(one)));
    if (type === 'NS') return sum((value as string[]).map(sizeOfNumber));
    if (type === 'B') return Buffer.byteLength(value as string, 'base64');
  }
  return 1;
}

/** A byte for two digits that count on either side of the point, one more, and one for a sign. */
function sizeOfNumber(text: string): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = fraction === '' ? whole.replace(/0+$/, '') : whole.replace(/^0+/, '');
  const pairs = Math.ceil(digits.length / 2) + Math.ceil(fraction.length / 2);
  return pairs + 1 + (text.startsWith('-') ? 1 : 0);
}

const sum = (sizes: number[]): number => sizes.reduce((total, one) => total + one, 0);
