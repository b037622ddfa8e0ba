import type { Change } from '#shared/domain/change.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { uploadKeys, uploadPartitions } from '#shared/table/keys/uploads.ts';
import type { Write } from '#shared/table/table.ts';
import { bytesWithout, returningWrites, takingWrites, type UploadSpace, type UploadSpaces } from './space.ts';
import {
  type AttachmentRecord,
  filesOf,
  MAX_MESSAGES_OF_UPLOAD,
  toAttachmentRecord,
  UNCLAIMED_LIFE_SECONDS,
  type Upload,
} from './upload.ts';

/** Adds a file that no message links to yet. */
export const newUploadChange = (upload: Upload, spaces: UploadSpaces): Change => ({
  writes: [newUploadWrite(upload), ...takingWrites(spaces, upload.size, upload.createdAtSeconds)],
  events: [addingEvent(upload, spaces.all.bytes + upload.size)],
});

export const newUploadWrite = (upload: Upload): Write => ({
  kind: 'put',
  item: toItem(upload),
  condition: { exists: false },
});

/** Notifies the owner of a new file; `bytes` is the total size of their files including it. */
export const addingEvent = (upload: Upload, bytes: number): LogEvent =>
  toOwner(upload, { op: 'add', attachment: toAttachmentRecord(upload) }, bytes);

/** Deletes a file even if messages link to it; its stored data is deleted afterwards. */
export function uploadRemovalChange(upload: Upload, spaces: UploadSpaces): Change {
  const bytes = bytesWithout(spaces.all, upload.size);
  const { ownerId, uploadId, revision } = upload;
  return {
    writes: [
      {
        kind: 'delete',
        key: uploadKeys.upload(ownerId, uploadId),
        condition: { equals: { revision } },
      },
      ...returningWrites(spaces, upload.size),
    ],
    events: [toOwner(upload, { op: 'remove', attachment: { id: uploadId } }, bytes)],
    jobs: [{ type: 'remove-files', payload: { files: filesOf(upload) }, steps: ONE_STEP }],
  };
}

/** Whether another message can give its readers access to the file. */
export const hasRoomForMessage = ({ messageIds }: Upload): boolean =>
  messageIds.length < MAX_MESSAGES_OF_UPLOAD;

/** A message links to these files: an existing message, or the one that the change itself adds to the log. */
export const namingChange = (uploads: Upload[], space: UploadSpace, messageId?: number): Change => ({
  writes: (position) => uploads.map((upload) => changeWrite(named(upload, messageId ?? position))),
  events: uploads.map((upload) => {
    const attachment = toAttachmentRecord(messageId === undefined ? upload : named(upload, messageId));
    const isNamedHere = messageId === undefined && { isNamedHere: true as const };
    return toOwner(upload, { op: 'update', attachment, ...isNamedHere }, space.bytes);
  }),
});

/** Messages no longer link to the files; files without any link start to expire. */
export function leavingChange(
  uploads: Upload[],
  space: UploadSpace,
  messageIds: number[],
  nowSeconds: number,
): Change {
  const gone = new Set(messageIds);
  const left = uploads.map((upload): Upload => {
    const rest = upload.messageIds.filter((id) => !gone.has(id));
    const until = rest.length === 0 && { unclaimedUntilSeconds: nowSeconds + UNCLAIMED_LIFE_SECONDS };
    return { ...upload, messageIds: rest, ...until };
  });
  return {
    writes: left.map(changeWrite),
    events: left.map((upload) =>
      toOwner(upload, { op: 'update', attachment: toAttachmentRecord(upload) }, space.bytes),
    ),
  };
}

/** Extends the life of a file without links. There is no event. */
export const lastingWrite = (upload: Upload, nowSeconds: number): Write =>
  changeWrite({ ...upload, unclaimedUntilSeconds: nowSeconds + UNCLAIMED_LIFE_SECONDS });

function named(upload: Upload, messageId: number): Upload {
  const { unclaimedUntilSeconds: _, ...rest } = upload;
  return { ...rest, messageIds: [...upload.messageIds, messageId].sort((a, b) => a - b) };
}

const changeWrite = (upload: Upload): Write => ({
  kind: 'put',
  item: toItem({ ...upload, revision: upload.revision + 1 }),
  condition: { equals: { revision: upload.revision } },
});

const toItem = ({ unclaimedUntilSeconds: until, ...upload }: Upload) => ({
  ...uploadKeys.upload(upload.ownerId, upload.uploadId),
  ...upload,
  ...(until !== undefined && { due: uploadPartitions.unclaimed(), dueAtSeconds: until }),
});

type AttachmentChange =
  | { op: 'add'; attachment: AttachmentRecord }
  | { op: 'update'; attachment: AttachmentRecord; isNamedHere?: true }
  | { op: 'remove'; attachment: { id: number } };

const toOwner = ({ ownerId }: Upload, payload: AttachmentChange, bytes: number): LogEvent => ({
  audience: { kind: 'users', userIds: [ownerId] },
  payload: { type: 'attachment', ...payload, upload_space_used: bytes },
});
