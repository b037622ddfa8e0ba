import { UploadQuotaExceeded } from '#shared/domain/errors.ts';
import { NoRoomForUpload, UploadOffsetMismatch, UploadTooLarge } from '#shared/domain/uploads/errors.ts';
import { requireRoom } from '#shared/domain/uploads/space.ts';
import {
  abandoningChange,
  beginningWrites,
  finishingChange,
  growingWrite,
  MAX_PIECES,
  offsetOf,
  pieceFile,
  pieceFilesOf,
  type UnfinishedUpload,
} from '#shared/domain/uploads/unfinished.ts';
import { pathIdOf, type Upload } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import {
  Conflict,
  commit,
  commitSilently,
  OutcomeUnknown,
  unlessConflict,
  withFreshState,
} from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { FileStore, Services } from '#shared/runtime/services.ts';
import { listEndedUnfinished } from '#shared/store/uploads/unfinished-uploads.ts';
import { readUploadSpace, readUploadSpaces } from '#shared/store/uploads/uploads.ts';
import { storeUpload } from './keep-upload.ts';

/** A file as announced by its client. */
export interface AnnouncedFile {
  name: string;
  mediaType: string;
  length: number;
}

/** Reserves room for a file that will be sent in pieces. @throws UploadTooLarge, NoRoomForUpload */
export async function beginUpload(
  services: Services,
  owner: User,
  { name, mediaType, length }: AnnouncedFile,
): Promise<UnfinishedUpload> {
  const { table, ids, clock, config } = services;
  const { maxFileMebibytes } = config;
  if (length > maxFileMebibytes * 1024 * 1024)
    throw new UploadTooLarge(`Uploaded file is larger than the allowed limit of ${maxFileMebibytes} MiB`);
  const nowSeconds = toSeconds(clock.nowMs());
  const unfinished: UnfinishedUpload = {
    ownerId: owner.userId,
    token: ids.uuid(),
    name,
    mediaType,
    length,
    pieces: [],
    createdAtSeconds: nowSeconds,
    revision: 1,
  };
  await withFreshState(services, async () => {
    const spaces = await readUploadSpaces(table, owner.userId);
    try {
      requireRoom(spaces, length, config.uploadQuotas, nowSeconds);
    } catch (failure) {
      throw failure instanceof UploadQuotaExceeded ? new NoRoomForUpload(failure.message) : failure;
    }
    await commitSilently(services, beginningWrites(unfinished, spaces));
  });
  return unfinished;
}

/** The progress of an upload: the offset of the next piece, and the file after the last one. */
export interface UploadProgress {
  offset: number;
  upload?: Upload;
}

/**
 * Adds a piece; the last one completes the file.
 * @throws UploadOffsetMismatch for a piece with another offset, UploadTooLarge for more than was announced,
 * Conflict when another request was faster
 */
export async function addPiece(
  services: Services,
  owner: User,
  unfinished: UnfinishedUpload,
  { at, bytes }: { at: number; bytes: Uint8Array },
): Promise<UploadProgress> {
  const before = offsetOf(unfinished);
  if (at !== before) throw new UploadOffsetMismatch(before);
  const offset = before + bytes.length;
  requireAnnounced(unfinished.length, offset);
  if (unfinished.finishedAs !== undefined) return { offset };
  if (offset === unfinished.length)
    return { offset, upload: await finish(services, owner, unfinished, bytes) };
  if (bytes.length > 0) await keepPiece(services, unfinished, bytes);
  return { offset };
}

/** @throws UploadTooLarge for more bytes than the file is to have */
export function requireAnnounced(length: number, bytes: number): void {
  if (bytes > length) throw new UploadTooLarge('This is more than Upload-Length announced');
}

async function keepPiece(services: Services, unfinished: UnfinishedUpload, bytes: Uint8Array): Promise<void> {
  const { files, ids } = services;
  if (unfinished.pieces.length === MAX_PIECES)
    throw new UploadTooLarge(`Send the file in at most ${MAX_PIECES} pieces`);
  const piece = { bytes: bytes.length, tag: ids.uuid() };
  const file = pieceFile(unfinished, unfinished.pieces.length, piece);
  await files.put(file, bytes);
  try {
    await commitSilently(services, [growingWrite(unfinished, piece)]);
  } catch (failure) {
    if (!(failure instanceof OutcomeUnknown)) await files.remove(file);
    throw failure;
  }
}

/** Assembles the file in pieces to limit memory, except for pictures that must be decoded. */
function finish(
  services: Services,
  owner: User,
  unfinished: UnfinishedUpload,
  last: Uint8Array,
): Promise<Upload> {
  const { name, mediaType, length: size } = unfinished;
  const pieces = () => piecesOf(services.files, unfinished, last);
  return storeUpload(services, owner, { name, mediaType, size, pieces }, async (upload) => {
    const space = await readUploadSpace(services.table);
    await commit(services, finishingChange(unfinished, upload, pathIdOf(upload), space));
    return upload;
  });
}

async function* piecesOf(
  files: FileStore,
  unfinished: UnfinishedUpload,
  last: Uint8Array,
): AsyncGenerator<Uint8Array> {
  for (const name of pieceFilesOf(unfinished)) {
    const bytes = await files.find(name);
    // Another request has completed or abandoned the file.
    if (!bytes) throw new Conflict();
    yield bytes;
  }
  yield last;
}

/** Deletes the received data of an upload; of a complete one only the upload's address. @throws Conflict */
export async function abandonUpload(services: Services, unfinished: UnfinishedUpload): Promise<void> {
  const spaces = await readUploadSpaces(services.table, unfinished.ownerId);
  await commit(services, abandoningChange(unfinished, spaces));
}

const ENDED_PER_RUN = 50;

/** Deletes uploads that were not completed in time. */
export async function endUnfinishedUploads(services: Services): Promise<void> {
  const nowSeconds = toSeconds(services.clock.nowMs());
  for (const unfinished of await listEndedUnfinished(services.table, nowSeconds, ENDED_PER_RUN))
    await unlessConflict(() => abandonUpload(services, unfinished));
}
