import type { Change } from '#shared/domain/change.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import { uploadKeys, uploadPartitions } from '#shared/table/keys/uploads.ts';
import type { Write } from '#shared/table/table.ts';
import { addingEvent, newUploadWrite } from './changes.ts';
import { returningWrites, takingWrites, type UploadSpace, type UploadSpaces } from './space.ts';
import type { Upload } from './upload.ts';

/** A piece of an incomplete file. */
export interface UploadPiece {
  bytes: number;
  /** Distinguishes the data of two requests for the same offset. */
  tag: string;
}

/** A file that is uploaded in pieces. Its full size counts towards the owner's quota. */
export interface UnfinishedUpload {
  ownerId: number;
  /** Its identifier in addresses. */
  token: string;
  name: string;
  mediaType: string;
  /** The size of the whole file in bytes. */
  length: number;
  /** In file order; empty once the file is complete. */
  pieces: UploadPiece[];
  createdAtSeconds: number;
  /** The path of the completed file. */
  finishedAs?: string;
  revision: number;
}

/** The time limit for a whole upload. */
const LIFE_SECONDS = 24 * 3600;
/** This many pieces fit into the item; with 4 MiB each it is far more than any file needs. */
export const MAX_PIECES = 1_000;

/** The number of bytes received. */
export const offsetOf = ({ pieces, length, finishedAs }: UnfinishedUpload): number =>
  finishedAs === undefined ? pieces.reduce((sum, { bytes }) => sum + bytes, 0) : length;

export const endOf = ({ createdAtSeconds }: UnfinishedUpload): number => createdAtSeconds + LIFE_SECONDS;

/** The storage name of a piece. */
export const pieceFile = ({ token }: UnfinishedUpload, index: number, { tag }: UploadPiece): string =>
  `uploads/${token}/${index}-${tag}`;

export const pieceFilesOf = (unfinished: UnfinishedUpload): string[] =>
  unfinished.pieces.map((piece, index) => pieceFile(unfinished, index, piece));

/** Starts an upload; its size counts towards the quota from now on. */
export const beginningWrites = (unfinished: UnfinishedUpload, spaces: UploadSpaces): Write[] => [
  { kind: 'put', item: toItem(unfinished), condition: { exists: false } },
  ...takingWrites(spaces, unfinished.length, unfinished.createdAtSeconds),
];

/** Adds a received piece. */
export const growingWrite = (unfinished: UnfinishedUpload, piece: UploadPiece): Write =>
  changeWrite(unfinished, { pieces: [...unfinished.pieces, piece] });

/** Turns a complete upload into an ordinary file and deletes the pieces. */
export const finishingChange = (
  unfinished: UnfinishedUpload,
  upload: Upload,
  finishedAs: string,
  space: UploadSpace,
): Change => ({
  writes: [newUploadWrite(upload), changeWrite(unfinished, { pieces: [], finishedAs })],
  events: [addingEvent(upload, space.bytes)],
  ...removingPieces(unfinished),
});

/** Abandons an upload: deletes the received pieces and returns the quota. */
export const abandoningChange = (unfinished: UnfinishedUpload, spaces: UploadSpaces): Change => ({
  writes: [
    {
      kind: 'delete',
      key: uploadKeys.unfinished(unfinished.ownerId, unfinished.token),
      condition: { equals: { revision: unfinished.revision } },
    },
    ...(unfinished.finishedAs === undefined ? returningWrites(spaces, unfinished.length) : []),
  ],
  ...removingPieces(unfinished),
});

const removingPieces = (unfinished: UnfinishedUpload): Pick<Change, 'jobs'> =>
  unfinished.pieces.length === 0
    ? {}
    : { jobs: [{ type: 'remove-files', payload: { files: pieceFilesOf(unfinished) }, steps: ONE_STEP }] };

const changeWrite = (unfinished: UnfinishedUpload, changed: Partial<UnfinishedUpload>): Write => ({
  kind: 'put',
  item: toItem({ ...unfinished, ...changed, revision: unfinished.revision + 1 }),
  condition: { equals: { revision: unfinished.revision } },
});

const toItem = (unfinished: UnfinishedUpload) => ({
  ...uploadKeys.unfinished(unfinished.ownerId, unfinished.token),
  ...unfinished,
  due: uploadPartitions.unfinished(),
  dueAtSeconds: endOf(unfinished),
});
