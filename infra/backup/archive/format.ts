/**
 * What an archive holds. It is a tar file that is read and written from its beginning to its end:
 *
 *     backup.json                    the opening: what this is a copy of
 *     items/00000001.jsonl.gz …      the table, one line of JSON an item: {"Item":{"pk":{"S":"…"}, …}}
 *     files/<name> …                 the stored files, as they are
 *     checksums/00000001.sha256 …    of the entries before, as `sha256sum` writes and reads them
 *     end.json                       the ending: counts, and the checksums of the lists of checksums
 *
 * Lines of items have the format of DynamoDB's own exports. An archive without an ending is not complete.
 */
export const FORMAT = 'team-chat-backup';
/** Grows with every change that an earlier reader would misread. */
export const FORMAT_VERSION = 1;

export const OPENING = 'backup.json';
export const ENDING = 'end.json';
export const FILES = 'files/';
export const ITEMS = 'items/';
export const CHECKSUMS = 'checksums/';

const numbered = (number: number): string => String(number).padStart(8, '0');
export const itemsName = (part: number): string => `${ITEMS}${numbered(part)}.jsonl.gz`;
export const checksumsName = (list: number): string => `${CHECKSUMS}${numbered(list)}.sha256`;

export interface Opening {
  format: typeof FORMAT;
  formatVersion: number;
  id: string;
  /** The version of the service that made it. */
  madeBy: string;
  /** The instant of which it is a copy, ISO 8601. */
  asOf: string;
  /** The copied service, for people to read. */
  source: string;
  /** The secret from which API keys are derived, sealed under a passphrase; null if it was left out. */
  secret: SealedSecret | null;
}

export interface SealedSecret {
  kdf: 'scrypt';
  salt: string;
  cost: number;
  nonce: string;
  /** AES-256-GCM, the tag at the end. */
  sealed: string;
}

export interface Ending {
  items: number;
  files: number;
  /** The SHA-256 of each list of checksums, in order. */
  lists: string[];
}

/** The operator can do something about it; the message alone explains it. */
export class BackupFailure extends Error {}
