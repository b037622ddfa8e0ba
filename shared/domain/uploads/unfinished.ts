import type { Change } from '#shared/domain/change.ts';
import type { Write } from '#shared/table/table.ts';
import { uploadKeys, uploadPartitions } from '#shared/table/upload-keys.ts';
import { addingEvent, newUploadWrite } from './changes.ts';
import { returningWrites, takingWrites, type UploadSpace, type UploadSpaces } from './space.ts';
import type { Upload } from './upload.ts';

/** A piece of a file that is not whole yet. */
export interface UploadPiece {
  bytes: number;
  /** Tells apart what two requests sent for the same place. */
  tag: string;
}

/** A file that comes piece by piece. Its owner has been charged for all of it. */
export interface UnfinishedUpload {
  ownerId: number;
  /** Its name in addresses. */
  token: string;
  name: string;
  mediaType: string;
  /** In bytes, of the whole file. */
  length: number;
  /** In the order of the file; none once it is whole. */
  pieces: UploadPiece[];
  createdAtSeconds: number;
  /** The path of the file that it has become. */
  finishedAs?: string;
  revision: number;
}

/** So long a client has time to send all of a file. */
const LIFE_SECONDS = 24 * 3600;
/** So many pieces fit into the item; of 4 MiB each they are far more than any file has. */
export const MAX_PIECES = 1_000;

/** How many bytes of the file have arrived. */
export const offsetOf = ({ pieces, length, finishedAs }: UnfinishedUpload): number =>
  finishedAs === undefined ? pieces.reduce((sum, { bytes }) => sum + bytes, 0) : length;

export const endOf = ({ createdAtSeconds }: UnfinishedUpload): number => createdAtSeconds + LIFE_SECONDS;

/** The name under which a piece is stored. */
export const pieceFile = ({ token }: UnfinishedUpload, index: number, { tag }: UploadPiece): string =>
  `uploads/${token}/${index}-${tag}`;

export const pieceFilesOf = (unfinished: UnfinishedUpload): string[] =>
  unfinished.pieces.map((piece, index) => pieceFile(unfinished, index, piece));

/** A client announces a file; its bytes count from now on. */
export const beginningWrites = (unfinished: UnfinishedUpload, spaces: UploadSpaces): Write[] => [
  { kind: 'put', item: toItem(unfinished), condition: { exists: false } },
  ...takingWrites(spaces, unfinished.length, unfinished.createdAtSeconds),
];

/** One more piece has arrived. */
export const growingWrite = (unfinished: UnfinishedUpload, piece: UploadPiece): Write =>
  changeWrite(unfinished, { pieces: [...unfinished.pieces, piece] });

/** The file is whole, and is one like any other. What it was put together from goes. */
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

/** The file will never be whole: what has arrived goes, and its owner gets the room back. */
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
    : { jobs: [{ type: 'remove-files', payload: { files: pieceFilesOf(unfinished) }, steps: [0] }] };

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
