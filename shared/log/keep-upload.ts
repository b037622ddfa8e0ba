import { BadImage } from '#shared/domain/errors.ts';
import { newUploadChange } from '#shared/domain/uploads/changes.ts';
import { PICTURES, readMediaType } from '#shared/domain/uploads/media-type.ts';
import { requireRoom } from '#shared/domain/uploads/space.ts';
import { THUMBNAIL } from '#shared/domain/uploads/thumbnail.ts';
import { filesOf, UNCLAIMED_LIFE_SECONDS, type Upload, uploadFile } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readUploadSpaces } from '#shared/store/uploads.ts';
import { uploadKeys } from '#shared/table/upload-keys.ts';
import { withFreshState } from './commit.ts';
import { commitWithAnswer, type Retry } from './commit-with-answer.ts';

/** A file as it was sent. */
export interface SentFile {
  /** As people are to see it. */
  name: string;
  /** What the client says of it. */
  mediaType: string;
  bytes: Uint8Array;
}

/**
 * Keeps a file under a name that nobody can guess, and tells its owner. What could not be kept is taken away again.
 * @throws UploadQuotaExceeded, Overtaken
 */
export async function keepUpload<Answer extends object>(
  services: Services,
  retry: Retry | undefined,
  owner: User,
  { name, mediaType, bytes }: SentFile,
  answerWith: (upload: Upload) => Answer,
): Promise<Answer> {
  const { table, files, ids, clock, config } = services;
  const size = bytes.length;
  const nowSeconds = toSeconds(clock.nowMs());
  requireRoom(await readUploadSpaces(table, owner.userId), size, config.uploadQuotas, nowSeconds);
  const type = readMediaType(mediaType, name);
  const picture = PICTURES.includes(type) ? await lookAt(services, bytes) : undefined;
  const upload: Upload = {
    ownerId: owner.userId,
    uploadId: await table.increment(uploadKeys.counter(), 'id'),
    uuid: ids.uuid(),
    name,
    size,
    mediaType: type,
    createdAtSeconds: nowSeconds,
    messageIds: [],
    ...(picture && { image: { ...picture.size, thumbnails: [THUMBNAIL.name] } }),
    unclaimedUntilSeconds: nowSeconds + UNCLAIMED_LIFE_SECONDS,
    revision: 1,
  };
  await files.put(uploadFile(upload), bytes);
  try {
    if (picture) await files.put(uploadFile(upload, THUMBNAIL.name), picture.thumbnail);
    const answer = answerWith(upload);
    // Others who upload at the same time change what all files come to; the file itself is kept only once.
    return await withFreshState(services, async () => {
      const spaces = await readUploadSpaces(table, owner.userId);
      requireRoom(spaces, size, config.uploadQuotas, nowSeconds);
      return commitWithAnswer(services, retry, newUploadChange(upload, spaces), answer);
    });
  } catch (failure) {
    for (const file of filesOf(upload)) await files.remove(file);
    throw failure;
  }
}

/** Of pictures that are shown in messages, the size and a smaller form; undefined for what only says that it is one. */
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
