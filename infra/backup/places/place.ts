/** A stored file that a backup copies. */
export interface StoredFile {
  name: string;
  size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** What a source has to be told to go on after an interruption; JSON. */
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
  /** Ends what was started, and keeps what another run goes on with. */
  close(): Promise<void>;
  /** Removes that too: the archive is complete. */
  forget(): Promise<void>;
}

export interface Source {
  /** For people to read; another one cannot finish the archive. */
  name: string;
  /**
   * Makes a copy of an instant, or finds the one that `saved` tells of.
   * @throws SourceMoved when that one is gone
   */
  open(id: string, saved: Saved | undefined, save: (saved: Saved) => Promise<void>): Promise<OpenSource>;
}

/** The instant that an unfinished archive shows can be copied no more: it has to begin again. */
export class SourceMoved extends Error {}

/** Where the files of an archive go. */
export interface FilesTarget {
  put(name: string, size: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  list(): AsyncIterable<string>;
  remove(name: string): Promise<void>;
}

export interface SecretTarget {
  find(): Promise<string | undefined>;
  put(secret: string): Promise<void>;
}
