import type { Row } from './rows.ts';

/** As DynamoDB counts them; as objects they take a few times as many. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Reading a larger item from the file costs little compared to processing it. */
const MAX_ROW_BYTES = 16 * 1024;

/** The items that were read last. Parsing an item takes longer than copying it. */
export class RowCache {
  /** In the order of their last use. */
  readonly #rows = new Map<string, Row>();
  #bytes = 0;

  find(name: string): Row | undefined {
    const row = this.#rows.get(name);
    if (row) {
      this.#rows.delete(name);
      this.#rows.set(name, row);
    }
    return row;
  }

  has(name: string): boolean {
    return this.#rows.has(name);
  }

  keep(name: string, row: Row): void {
    this.forget(name);
    if (row.bytes > MAX_ROW_BYTES) return;
    this.#rows.set(name, row);
    this.#bytes += row.bytes;
    for (const oldest of this.#rows.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.forget(oldest);
    }
  }

  forget(name: string): void {
    const row = this.#rows.get(name);
    if (!row) return;
    this.#rows.delete(name);
    this.#bytes -= row.bytes;
  }

  clear(): void {
    this.#rows.clear();
    this.#bytes = 0;
  }
}
