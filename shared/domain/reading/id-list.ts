/**
 * Message ids as stored in log events: ascending differences, seven bits per byte. Ids that are close
 * together take one byte each instead of five or six.
 */
export function packIds(ids: number[]): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (const id of [...ids].sort((a, b) => a - b)) {
    let distance = id - previous;
    while (distance >= 0x80) {
      bytes.push((distance % 0x80) | 0x80);
      distance = Math.floor(distance / 0x80);
    }
    bytes.push(distance);
    previous = id;
  }
  return Uint8Array.from(bytes);
}

export function unpackIds(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let previous = 0;
  let distance = 0;
  let factor = 1;
  for (const byte of bytes) {
    distance += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte & 0x80) continue;
    previous += distance;
    ids.push(previous);
    distance = 0;
    factor = 1;
  }
  return ids;
}
