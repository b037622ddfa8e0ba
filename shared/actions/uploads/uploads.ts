import { type Change, mergeChanges } from '#shared/domain/change.ts';
import {
  hasRoomForMessage,
  lastingWrite,
  leavingChange,
  namingChange,
  uploadRemovalChange,
} from '#shared/domain/uploads/changes.ts';
import {
  type AttachmentRecord,
  pathIdOf,
  toAttachmentRecord,
  type Upload,
} from '#shared/domain/uploads/upload.ts';
import { commit, commitSilently, unlessConflict, withFreshState } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listDrafts } from '#shared/store/drafts.ts';
import { listSavedSnippets } from '#shared/store/saved-snippets.ts';
import { listScheduledOf } from '#shared/store/scheduled-messages.ts';
import {
  findUpload,
  listUnclaimed,
  listUploadsAt,
  readUploadSpace,
  readUploadSpaces,
} from '#shared/store/uploads/uploads.ts';
import type { Table } from '#shared/table/table.ts';

/** Records a message in the files that it links to. Without an id it is the message of the change. */
export async function nameUploads(
  { table }: Services,
  pathIds: string[],
  messageId?: number,
): Promise<Change> {
  const uploads = (await listUploadsAt(table, pathIds)).filter(hasRoomForMessage);
  return uploads.length === 0 ? {} : namingChange(uploads, await readUploadSpace(table), messageId);
}

/** An edit, as far as it concerns the message's files. */
export interface UploadEdit {
  messageId: number;
  before: string[];
  after: string[];
}

/** The same for a message whose links change. */
export async function renameUploads(
  services: Services,
  { messageId, before, after }: UploadEdit,
): Promise<Change> {
  const { table, clock } = services;
  const added = without(after, before);
  const removed = await listUploadsNaming(table, without(before, after), messageId);
  return mergeChanges(
    await nameUploads(services, added, messageId),
    removed.length === 0
      ? {}
      : leavingChange(removed, await readUploadSpace(table), [messageId], toSeconds(clock.nowMs())),
  );
}

const without = (pathIds: string[], others: string[]): string[] =>
  pathIds.filter((pathId) => !others.includes(pathId));

const listUploadsNaming = async (table: Table, pathIds: string[], messageId: number): Promise<Upload[]> =>
  (await listUploadsAt(table, pathIds)).filter(({ messageIds }) => messageIds.includes(messageId));

/** The user's files that no message will link to after the edit. */
export async function listDetached(
  { table }: Services,
  userId: number,
  { messageId, before, after }: UploadEdit,
): Promise<AttachmentRecord[]> {
  const removed = await listUploadsNaming(table, without(before, after), messageId);
  return removed
    .filter(({ ownerId, messageIds }) => ownerId === userId && messageIds.length === 1)
    .map((upload) => toAttachmentRecord({ ...upload, messageIds: [] }));
}

/** A deleted message, with the files that it linked to. */
export interface NamingMessage {
  messageId: number;
  uploads?: string[] | undefined;
}

/** Removes deleted messages from the files that they linked to. Idempotent. */
export async function forgetNaming(services: Services, messages: NamingMessage[]): Promise<void> {
  const { table, clock } = services;
  const idsByPath = new Map<string, number[]>();
  for (const { messageId, uploads = [] } of messages)
    for (const pathId of uploads) idsByPath.set(pathId, [...(idsByPath.get(pathId) ?? []), messageId]);
  for (const [pathId, ids] of idsByPath)
    await withFreshState(services, async () => {
      const [upload] = await listUploadsAt(table, [pathId]);
      if (!upload?.messageIds.some((id) => ids.includes(id))) return;
      const space = await readUploadSpace(table);
      await commit(services, leavingChange([upload], space, ids, toSeconds(clock.nowMs())));
    });
}

const UNCLAIMED_PER_RUN = 50;

/**
 * Deletes files without links after a while, unless their owner uses them in a draft, a saved snippet, a
 * scheduled message or a reminder.
 */
export async function expireUploads(services: Services): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  for (const { ownerId, uploadId } of await listUnclaimed(table, nowSeconds, UNCLAIMED_PER_RUN)) {
    const upload = await findUpload(table, ownerId, uploadId);
    const { unclaimedUntilSeconds: until } = upload ?? {};
    if (!upload || until === undefined || until > nowSeconds) continue;
    await unlessConflict(async () => {
      if (await isKept(table, upload)) await commitSilently(services, [lastingWrite(upload, nowSeconds)]);
      else await commit(services, uploadRemovalChange(upload, await readUploadSpaces(table, ownerId)));
    });
  }
}

async function isKept(table: Table, upload: Upload): Promise<boolean> {
  const { ownerId } = upload;
  const { messages, reminders } = await listScheduledOf(table, ownerId);
  const drafts = await listDrafts(table, ownerId);
  const snippets = await listSavedSnippets(table, ownerId);
  const pathId = pathIdOf(upload);
  return [...messages, ...reminders, ...drafts, ...snippets].some(({ content }) => content.includes(pathId));
}
