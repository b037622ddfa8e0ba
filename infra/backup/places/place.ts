/** A stored file that a backup copies. */
export interface StoredFile {
  name: string;
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** The state with which a source resumes after an interruption; JSON. */
export type Saved = Record<string, unknown>;

/** A source that is ready to be copied. */
export interface OpenSource {
  /** The instant that the copy shows, ISO 8601. */
  asOf: string;
  /** How many items there are about; for the progress. */
  itemsAbout: number;
  /** The items as lines, page by page, each with the place to go on from. @throws SourceMoved */
  items(after?: unknown): AsyncIterable<{ lines: string[]; after: unknown }>;
  /** The files by name. */
  files(after?: string): AsyncIterable<StoredFile>;
  secret(): Promise<string | undefined>;
  /** Ends everything that was started, and keeps the state for another run. */
  close(): Promise<void>;
  /** Removes that too: the archive is complete. */
  forget(): Promise<void>;
}

export interface Source {
  /** For people to read; another one cannot finish the archive. */
  name: string;
  /**
   * Makes a copy of an instant, or finds the one that `saved` identifies.
   * @throws SourceMoved when that one is gone
   */
  open(id: string, saved: Saved | undefined, save: (saved: Saved) => Promise<void>): Promise<OpenSource>;
}

/** The instant of an unfinished archive can no longer be copied: the backup must start over. */
export class SourceMoved extends Error {}

/** The destination of an archive's files. */
export interface FilesTarget {
  put(name: string, size: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  list(): AsyncIterable<string>;
  remove(name: string): Promise<void>;
}

export interface SecretTarget {
  find(): Promise<string | undefined>;
  put(secret: string): Promise<void>;
}
