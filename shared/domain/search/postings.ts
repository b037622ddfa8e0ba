import type { SearchTerm } from './terms.ts';

/** The ids of the messages with each term, ascending. */
export type Postings = Map<SearchTerm, number[]>;

const TERM_BITS = 32;
const BYTES_PER_TERM = 4;

/** The bucket of a term among `2 ** bits`. */
export const bucketOf = (term: SearchTerm, bits: number): number =>
  bits === 0 ? 0 : term >>> (TERM_BITS - bits);

/** The postings of messages, given with their terms. */
export function collectPostings(messages: { messageId: number; terms: Iterable<SearchTerm> }[]): Postings {
  const postings: Postings = new Map();
  for (const { messageId, terms } of messages.toSorted((a, b) => a.messageId - b.messageId))
    for (const term of terms) {
      const ids = postings.get(term);
      if (ids) ids.push(messageId);
      else postings.set(term, [messageId]);
    }
  return postings;
}

/** The union of several postings. */
export function mergePostings(all: Postings[]): Postings {
  const merged: Postings = new Map();
  for (const postings of all)
    for (const [term, ids] of postings) {
      const known = merged.get(term);
      merged.set(term, known ? union([known, ids]) : ids);
    }
  return merged;
}

/** The ids of all lists, ascending, without duplicates. */
export function union(lists: number[][]): number[] {
  const filled = lists.filter(({ length }) => length > 0);
  const [first = []] = filled;
  if (filled.length < 2) return first;
  const isInRow = filled.every((ids, n) => (filled[n - 1]?.at(-1) ?? 0) < (ids[0] ?? 0));
  return isInRow ? filled.flat() : [...new Set(filled.flat())].sort((a, b) => a - b);
}

/** The ids common to all lists, ascending. */
export function intersection(lists: number[][]): number[] {
  const [first = [], ...others] = lists;
  const sets = others.map((ids) => new Set(ids));
  return first.filter((id) => sets.every((ids) => ids.has(id)));
}

/** Splits postings into consecutive buckets; terms of other buckets are left out. */
export function divide(postings: Postings, bits: number, first = 0, count = 2 ** bits): Postings[] {
  const buckets: Postings[] = Array.from({ length: count }, () => new Map());
  for (const [term, ids] of postings) buckets[bucketOf(term, bits) - first]?.set(term, ids);
  return buckets;
}

/** The approximate packed size of postings in bytes. */
export function estimateBytes(postings: Postings): number {
  let bytes = 0;
  for (const ids of postings.values()) bytes += BYTES_PER_TERM + ids.length;
  return bytes;
}

/**
 * Encodes postings: for each term the distance from the previous term, the byte length of its ids, and the
 * differences between the ids, starting from `base`. Numbers take seven bits per byte.
 */
export function encodePostings(postings: Postings, base: number): Uint8Array {
  const writer = new Writer();
  let before = 0;
  for (const [term, ids] of [...postings].sort(([a], [b]) => a - b)) {
    writer.write(term - before);
    before = term;
    writer.write(sizeOfDistances(ids, base));
    let last = base;
    for (const id of ids) {
      writer.write(id - last);
      last = id;
    }
  }
  return writer.bytes;
}

export function decodePostings(bytes: Uint8Array, base: number): Postings {
  const postings: Postings = new Map();
  for (const { term, ids } of termsIn(bytes, base)) postings.set(term, ids());
  return postings;
}

/** Finds the ids of one term without decoding other terms' ids. */
export function findIds(bytes: Uint8Array, base: number, wanted: SearchTerm): number[] {
  for (const { term, ids } of termsIn(bytes, base)) {
    if (term === wanted) return ids();
    if (term > wanted) break;
  }
  return [];
}

function* termsIn(bytes: Uint8Array, base: number): Generator<{ term: SearchTerm; ids: () => number[] }> {
  const reader = new Reader(bytes);
  let term = 0;
  while (!reader.isAtEnd) {
    term += reader.read();
    const end = reader.read() + reader.at;
    yield { term, ids: () => readIds(new Reader(bytes, reader.at, end), base) };
    reader.at = end;
  }
}

function readIds(reader: Reader, base: number): number[] {
  const ids: number[] = [];
  let id = base;
  while (!reader.isAtEnd) {
    id += reader.read();
    ids.push(id);
  }
  return ids;
}

function sizeOfDistances(ids: number[], base: number): number {
  let size = 0;
  let last = base;
  for (const id of ids) {
    for (let rest = id - last; rest >= 128; rest = Math.floor(rest / 128)) size++;
    size++;
    last = id;
  }
  return size;
}

class Writer {
  #bytes = new Uint8Array(1024);
  #size = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size);
  }

  write(number: number): void {
    let rest = number;
    while (rest >= 128) {
      this.#put((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#put(rest);
  }

  #put(byte: number): void {
    if (this.#size === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#size);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#size++] = byte;
  }
}

class Reader {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end;
  }

  read(): number {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.at++] ?? 0;
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
  }
}
