import { BadImage } from '#shared/domain/errors.ts';
import { newUploadChange } from '#shared/domain/uploads/changes.ts';
import { PICTURES, readMediaType } from '#shared/domain/uploads/media-type.ts';
import { requireRoom } from '#shared/domain/uploads/space.ts';
import { THUMBNAIL } from '#shared/domain/uploads/thumbnail.ts';
import { filesOf, UNCLAIMED_LIFE_SECONDS, type Upload, uploadFile } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commitWithAnswer, OutcomeUnknown, type Retry, withFreshState } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readUploadSpaces } from '#shared/store/uploads/uploads.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** A file as it was sent. */
export interface SentFile {
  /** The display name. */
  name: string;
  /** The media type claimed by the client. */
  mediaType: string;
  size: number;
  /** Its bytes in order; may be called repeatedly. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Larger pictures are treated as plain files. */
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;

/** Stores a file that was sent in one request and notifies its owner. @throws UploadQuotaExceeded, Overtaken */
export async function keepUpload<Answer extends object>(
  services: Services,
  retry: Retry | undefined,
  owner: User,
  sent: SentFile,
  answerWith: (upload: Upload) => Answer,
): Promise<Answer> {
  const { table, clock, config } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const findRoom = async () => {
    const spaces = await readUploadSpaces(table, owner.userId);
    requireRoom(spaces, sent.size, config.uploadQuotas, nowSeconds);
    return spaces;
  };
  await findRoom();
  return storeUpload(services, owner, sent, (upload) => {
    const answer = answerWith(upload);
    // Concurrent uploads change the total size; the file itself is stored only once.
    return withFreshState(services, async () =>
      commitWithAnswer(services, retry, newUploadChange(upload, await findRoom()), answer),
    );
  });
}

/**
 * Stores a file under an unguessable name, with thumbnails of pictures, and calls `use` to record it. If
 * `use` fails, the files are deleted, unless they may have been recorded.
 */
export async function storeUpload<Result>(
  services: Services,
  owner: User,
  sent: SentFile,
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const { table, files, ids, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const mediaType = readMediaType(sent.mediaType, sent.name);
  const isPicture = PICTURES.includes(mediaType) && sent.size <= MAX_PICTURE_BYTES;
  const bytes = isPicture ? await gather(sent.pieces()) : undefined;
  const picture = bytes && (await lookAt(services, bytes));
  const upload: Upload = {
    ownerId: owner.userId,
    uploadId: await table.increment(organizationKeys.counter('upload'), 'id'),
    uuid: ids.uuid(),
    name: sent.name,
    size: sent.size,
    mediaType,
    createdAtSeconds: nowSeconds,
    messageIds: [],
    ...(picture && { image: { ...picture.size, thumbnails: [THUMBNAIL.name] } }),
    unclaimedUntilSeconds: nowSeconds + UNCLAIMED_LIFE_SECONDS,
    revision: 1,
  };
  try {
    if (bytes) await files.put(uploadFile(upload), bytes);
    else await files.putPieces(uploadFile(upload), sent.pieces());
    if (picture) await files.put(uploadFile(upload, THUMBNAIL.name), picture.thumbnail);
    return await use(upload);
  } catch (failure) {
    if (!(failure instanceof OutcomeUnknown)) for (const file of filesOf(upload)) await files.remove(file);
    throw failure;
  }
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Size and thumbnail of pictures that messages show; undefined for files that only claim to be pictures. */
async function lookAt({ images }: Services, bytes: Uint8Array) {
  try {
    const { width, height } = THUMBNAIL;
    const shrunk = await images.shrink(bytes, [{ width, height, fit: 'inside', isSmall: true }]);
    const [thumbnail] = shrunk.pictures;
    return thumbnail && { size: { width: shrunk.width, height: shrunk.height }, thumbnail: thumbnail.bytes };
  } catch (failure) {
    if (failure instanceof BadImage) return undefined;
    throw failure;
  }
}
