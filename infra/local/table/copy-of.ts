/** A copy of what the table can hold: plain objects, lists, sets, bytes and scalars. */
export function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (value instanceof Set) return new Set(value) as Value;
  if (ArrayBuffer.isView(value)) return Uint8Array.from(value as unknown as Uint8Array) as Value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) copy[name] = copyOf((value as Record<string, unknown>)[name]);
  return copy as Value;
}
