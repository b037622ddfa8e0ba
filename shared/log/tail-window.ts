import { type LogEntry, toEntry } from '#shared/store/log/log-entry.ts';
import type { Item } from '#shared/table/table.ts';

/** A queue further behind than this reads the log itself. */
const KEPT_MS = 10_000;
const KEPT_CHARACTERS = 4_000_000;

/** Their entries change messages in place. */
const REWRITES = new Set(['update_message', 'delete_message']);

/** The newest entries of the log without holes, as a process has read them. At most four million characters. */
export class TailWindow {
  /** The position before the first entry. */
  #start: number;
  #entries: { entry: LogEntry; characters: number }[] = [];
  #characters = 0;

  constructor(start: number) {
    this.#start = start;
  }

  /** The position of the newest entry. */
  get end(): number {
    return this.#start + this.#entries.length;
  }

  /** Whether all entries between this position and the end are here. */
  covers(position: number): boolean {
    return this.#start <= position && position <= this.end;
  }

  /** The entries after a position that the window covers, in order. */
  after(position: number): LogEntry[] {
    return this.#entries.slice(position - this.#start).map(({ entry }) => entry);
  }

  /** Adds the entries that follow the end. An earlier state of a message that they change is forgotten. */
  add(run: LogEntry[], nowMs: number): void {
    for (const entry of run) {
      const characters = JSON.stringify(entry).length;
      this.#entries.push({ entry, characters });
      this.#characters += characters;
    }
    this.#forgetTo(Math.max(0, ...run.flatMap(rewrittenBy)));
    const isTooMuch = ({ entry }: { entry: LogEntry }): boolean =>
      this.#characters > KEPT_CHARACTERS || nowMs - entry.atMs > KEPT_MS;
    for (let first = this.#entries[0]; first && isTooMuch(first); first = this.#entries[0])
      this.#forgetTo(first.entry.position);
  }

  #forgetTo(position: number): void {
    const forgotten = this.#entries.splice(0, Math.max(0, position - this.#start));
    this.#start += forgotten.length;
    for (const { characters } of forgotten) this.#characters -= characters;
  }
}

/** The ids of the messages that an entry changes. */
const rewrittenBy = ({ events }: LogEntry): number[] =>
  events.flatMap(({ payload }) => {
    if (!REWRITES.has(String(payload.type))) return [];
    const { message_id, message_ids = [] } = payload as { message_id?: number; message_ids?: number[] };
    return message_id === undefined ? message_ids : [message_id, ...message_ids];
  });

/** The entry that reading a written item would return: an object of its own, in which nothing is undefined. */
export const asRead = (item: Item): LogEntry => toEntry(copyDefined(item));

function copyDefined<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyDefined) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const defined = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(defined.map(([name, member]) => [name, copyDefined(member)])) as Value;
}
