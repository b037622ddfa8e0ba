/** A copy of an item or of a part of one, without undefined values, as if it had been written and read. */
export function copyOf<Value>(value: Value): Value {
  return (isPart(value) ? copyOfPart(value) : value) as Value;
}

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null;

function copyOfPart(value: object): object {
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(copyOf);
  if (value instanceof Set) return new Set(value);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  // V8 copies all properties at once, faster than one by one.
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const part = copy[name];
    if (isPart(part)) copy[name] = copyOfPart(part);
    else if (part === undefined) delete copy[name];
  }
  return copy;
}
