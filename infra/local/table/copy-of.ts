/** A copy of what the table can hold: plain objects, lists, sets, bytes and scalars. */
export function copyOf<Value>(value: Value): Value {
  return (isPart(value) ? copyOfPart(value) : value) as Value;
}

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** V8 copies a whole object or list at once, faster than part by part. */
function copyOfPart(value: object): object {
  if (Array.isArray(value)) {
    const list: unknown[] = value.slice();
    for (let at = 0; at < list.length; at++) {
      const part = list[at];
      if (isPart(part)) list[at] = copyOfPart(part);
    }
    return list;
  }
  if (value instanceof Set) return new Set(value);
  if (ArrayBuffer.isView(value)) return Uint8Array.from(value as Uint8Array);
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const part = copy[name];
    if (isPart(part)) copy[name] = copyOfPart(part);
  }
  return copy;
}

/** What the table can hold but sets and bytes, which nothing can change from now on. */
export function frozen<Value>(value: Value): Value {
  // What is no part counts as frozen.
  if (Object.isFrozen(value)) return value;
  for (const part of Object.values(value as object)) frozen(part);
  return Object.freeze(value);
}
