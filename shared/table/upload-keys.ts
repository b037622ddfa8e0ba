import { type Key, positionSortKey } from './keys.ts';

/** The keys of uploaded files, which belong to the page of `keys.ts` and have no room there. */
export const uploadKeys = {
  upload: (ownerId: number, uploadId: number): Key => ({
    pk: uploadPartitions.of(ownerId),
    sk: positionSortKey(uploadId),
  }),
  /** How much all files of the organization come to. */
  space: (): Key => ({ pk: 'UPLOADS', sk: 'SPACE' }),
  /** The same of one account, and what it has uploaded lately. */
  ownSpace: (ownerId: number): Key => ({ pk: `UPLOAD_SPACE#${ownerId}`, sk: 'SPACE' }),
  /** A file that comes piece by piece. */
  unfinished: (ownerId: number, token: string): Key => ({ pk: `UNFINISHED_UPLOADS#${ownerId}`, sk: token }),
  counter: (): Key => ({ pk: 'COUNTER#upload', sk: 'COUNTER' }),
};

export const uploadPartitions = {
  of: (ownerId: number) => `UPLOADS#${ownerId}`,
  /** In the index by due time: files that no message names. */
  unclaimed: () => 'UNCLAIMED_UPLOADS',
  /** There too: files that come piece by piece, also those that are whole by now. */
  unfinished: () => 'UNFINISHED_UPLOADS',
};
