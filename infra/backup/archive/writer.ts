import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { createTarPacker, type TarHeader } from 'modern-tar';
import { checksumsName, ENDING, type Ending, OPENING, type Opening } from './format.ts';

/** Where an archive was left, from which its writer can go on after any interruption. */
export interface WriterState {
  /** The length of the complete part. */
  bytes: number;
  /** The entries since the last list of checksums. */
  unlisted: { name: string; sha256: string }[];
  lists: string[];
}

/** The number of entries that share one list of checksums. */
const ENTRIES_PER_LIST = 1_000;
/** The zeros by which the packer ends an archive. */
const END_BYTES = 1_024;

/** Writes an archive entry by entry, with little of it in memory. */
export class ArchiveWriter {
  readonly #file: FileHandle;
  readonly #madeAt: Date;
  readonly #state: WriterState;

  private constructor(file: FileHandle, madeAt: Date, state: WriterState) {
    this.#file = file;
    this.#madeAt = madeAt;
    this.#state = state;
  }

  /** Starts an archive, or resumes it from a saved state. Everything written after that state is dropped. */
  static async open(path: string, madeAt: Date, state?: WriterState): Promise<ArchiveWriter> {
    const file = await open(path, state ? 'r+' : 'w', 0o600);
    const { bytes = 0, unlisted = [], lists = [] } = state ?? {};
    await file.truncate(bytes);
    return new ArchiveWriter(file, madeAt, { bytes, unlisted: [...unlisted], lists: [...lists] });
  }

  async begin(opening: Opening): Promise<void> {
    await this.add(OPENING, toJson(opening));
  }

  add(name: string, content: Uint8Array): Promise<void> {
    return this.addPieces(name, content.length, [content]);
  }

  /** Adds an entry whose length is known. @throws when the pieces have another length */
  async addPieces(
    name: string,
    size: number,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<void> {
    const sha256 = await this.#append({ name, size, mode: 0o600, mtime: this.#madeAt }, pieces);
    this.#state.unlisted.push({ name, sha256 });
    if (this.#state.unlisted.length >= ENTRIES_PER_LIST) await this.#addList();
  }

  /** Makes all added entries durable. @returns the state from which to resume */
  async save(): Promise<WriterState> {
    await this.#file.datasync();
    return structuredClone(this.#state);
  }

  async finish(counts: Omit<Ending, 'lists'>): Promise<void> {
    if (this.#state.unlisted.length > 0) await this.#addList();
    const ending: Ending = { ...counts, lists: this.#state.lists };
    const content = toJson(ending);
    await this.#append({ name: ENDING, size: content.length, mode: 0o600, mtime: this.#madeAt }, [content]);
    await this.#put(new Uint8Array(END_BYTES), this.#state.bytes);
    await this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #addList(): Promise<void> {
    const { lists, unlisted } = this.#state;
    const content = Buffer.from(unlisted.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
    const name = checksumsName(lists.length + 1);
    const header = { name, size: content.length, mode: 0o600, mtime: this.#madeAt };
    lists.push(await this.#append(header, [content]));
    this.#state.unlisted = [];
  }

  /** @returns the SHA-256 of the content */
  async #append(
    header: TarHeader,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<string> {
    const { readable, controller } = createTarPacker();
    const written = this.#write(readable);
    const hash = createHash('sha256');
    const entry = controller.add(header).getWriter();
    try {
      for await (const piece of pieces) {
        hash.update(piece);
        await entry.write(piece);
      }
      await entry.close();
      controller.finalize();
    } catch (failure) {
      controller.error(failure);
      await written.catch(() => undefined);
      throw failure;
    }
    this.#state.bytes = await written;
    return hash.digest('hex');
  }

  /** Writes the packer's output for one entry, except its end mark. @returns the new length */
  async #write(packed: ReadableStream<Uint8Array>): Promise<number> {
    let { bytes } = this.#state;
    let held: Uint8Array = new Uint8Array();
    for await (const chunk of packed) {
      const all = Buffer.concat([held, chunk]);
      const ready = all.subarray(0, Math.max(0, all.length - END_BYTES));
      held = all.subarray(ready.length);
      bytes += await this.#put(ready, bytes);
    }
    return bytes;
  }

  /** Writes the whole content, even if the system accepts only a part at a time. @returns its length */
  async #put(content: Uint8Array, at: number): Promise<number> {
    let done = 0;
    while (done < content.length) {
      const { bytesWritten } = await this.#file.write(content, done, content.length - done, at + done);
      done += bytesWritten;
    }
    return done;
  }
}

const toJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
