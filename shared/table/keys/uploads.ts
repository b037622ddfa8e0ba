import { idSortKey, type Key } from './key.ts';

/** The keys of uploaded files. */
export const uploadKeys = {
  upload: (ownerId: number, uploadId: number): Key => ({
    pk: uploadPartitions.of(ownerId),
    sk: idSortKey(uploadId),
  }),
  /** The total size of the organization's files. */
  space: (): Key => ({ pk: 'UPLOADS', sk: 'SPACE' }),
  /** The total size of one account's files, and its recent uploads. */
  ownSpace: (ownerId: number): Key => ({ pk: `UPLOAD_SPACE#${ownerId}`, sk: 'SPACE' }),
  /** A file uploaded in pieces. */
  unfinished: (ownerId: number, token: string): Key => ({ pk: `UNFINISHED_UPLOADS#${ownerId}`, sk: token }),
};

export const uploadPartitions = {
  of: (ownerId: number) => `UPLOADS#${ownerId}`,
  /** In the index by due time: files without links. */
  unclaimed: () => 'UNCLAIMED_UPLOADS',
  /** In the same index: uploads in pieces, including finished ones. */
  unfinished: () => 'UNFINISHED_UPLOADS',
};
