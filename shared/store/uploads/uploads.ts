import { BadRequest } from '#shared/domain/errors.ts';
import { channelsOf, mayRead } from '#shared/domain/messages/access.ts';
import type { OwnSpace, UploadSpace, UploadSpaces } from '#shared/domain/uploads/space.ts';
import { pathIdOf, readPathId, type Upload } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { uploadKeys, uploadPartitions } from '#shared/table/keys/uploads.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

function toUpload({ pk: _pk, sk: _sk, due, dueAtSeconds, ...upload }: Item): Upload {
  return {
    ...recordOf<Upload>(upload),
    ...(due !== undefined && { unclaimedUntilSeconds: Number(dueAtSeconds) }),
  };
}

/** The upload of a user with this id. */
export async function findUpload(
  table: Table,
  ownerId: number,
  uploadId: number,
): Promise<Upload | undefined> {
  const item = await table.find(uploadKeys.upload(ownerId, uploadId));
  return item && toUpload(item);
}

/** @throws BadRequest also for another user's file */
export async function getOwnUpload(table: Table, { userId }: User, uploadId: number): Promise<Upload> {
  const upload = await findUpload(table, userId, uploadId);
  if (!upload) throw new BadRequest('Invalid attachment');
  return upload;
}

/** The existing uploads at these paths, in the given order. */
export async function listUploadsAt(table: Table, pathIds: string[]): Promise<Upload[]> {
  const wanted = pathIds.flatMap((pathId) => {
    const place = readPathId(pathId);
    return place ? [uploadKeys.upload(place.ownerId, place.uploadId)] : [];
  });
  const unique = new Map(wanted.map((key) => [`${key.pk} ${key.sk}`, key]));
  const found = (await table.findMany([...unique.values()])).map(toUpload);
  const byPath = new Map(found.map((upload) => [pathIdOf(upload), upload]));
  return [...new Set(pathIds)].flatMap((pathId) => byPath.get(pathId) ?? []);
}

/** A user's uploads, oldest first. */
export async function listUploadsOf(table: Table, ownerId: number): Promise<Upload[]> {
  const items = await table.list({ partition: uploadPartitions.of(ownerId), consistent: true });
  return items.map(toUpload);
}

/** Expired files without links, earliest expiry first. */
export async function listUnclaimed(table: Table, nowSeconds: number, limit: number): Promise<Upload[]> {
  const { items } = await table.page({
    index: 'byDueTime',
    partition: uploadPartitions.unclaimed(),
    to: nowSeconds,
    limit,
  });
  return items.map(toUpload);
}

/** The total size of the organization's files. */
export async function readUploadSpace(table: Table): Promise<UploadSpace> {
  const { bytes = 0, revision = 0 } = (await table.find(uploadKeys.space())) ?? {};
  return { bytes: Number(bytes), revision: Number(revision) };
}

/** The same with the total of one account. */
export async function readUploadSpaces(table: Table, ownerId: number): Promise<UploadSpaces> {
  const [all, own] = await Promise.all([readUploadSpace(table), readOwnSpace(table, ownerId)]);
  return { all, own };
}

async function readOwnSpace(table: Table, ownerId: number): Promise<OwnSpace> {
  const item = await table.find(uploadKeys.ownSpace(ownerId));
  if (!item) {
    // Includes files from before sizes were counted per account.
    const bytes = (await listUploadsOf(table, ownerId)).reduce((sum, { size }) => sum + size, 0);
    return { ownerId, bytes, dayFromSeconds: 0, dayBytes: 0, revision: 0 };
  }
  const { bytes, dayFromSeconds, dayBytes, revision } = item;
  return {
    ownerId,
    bytes: Number(bytes),
    dayFromSeconds: Number(dayFromSeconds),
    dayBytes: Number(dayBytes),
    revision: Number(revision),
  };
}

/**
 * The uploads at these paths that the user may access: their own, and those in messages that they may read.
 */
export async function listReadableUploads(table: Table, user: User, pathIds: string[]): Promise<Upload[]> {
  const uploads = await listUploadsAt(table, pathIds);
  const views: ChannelViews = new Map();
  const readable: Upload[] = [];
  for (const upload of uploads)
    if (upload.ownerId === user.userId || (await isOpenTo(table, user, upload, views))) readable.push(upload);
  return readable;
}

/** Usually the newest message decides. */
const MESSAGES_AT_ONCE = 10;

async function isOpenTo(
  table: Table,
  user: User,
  { messageIds }: Upload,
  views: ChannelViews,
): Promise<boolean> {
  for (let end = messageIds.length; end > 0; end -= MESSAGES_AT_ONCE) {
    const messages = await listMessagesById(
      table,
      messageIds.slice(Math.max(0, end - MESSAGES_AT_ONCE), end),
    );
    await loadChannelViews(table, user.userId, views, messages.flatMap(channelsOf));
    const isOpen = messages.some((message) =>
      mayRead(user, message, message.kind === 'channel' ? views.get(message.channelId) : undefined),
    );
    if (isOpen) return true;
  }
  return false;
}
