import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { placeOfUnfit, toCanonical } from '#shared/domain/names.ts';
import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import { type Folder, type Folders, toFolderRecord } from './folders.ts';

/** The order is one item. */
const MAX_FOLDERS = 1000;

/** @throws BadRequest for an empty name, a forbidden character, or the name of another folder */
function checkFolderName(input: string, others: Folder[]): string {
  const name = input.trim();
  if (name === '') throw new BadRequest("Channel folder name can't be empty.");
  const unfit = placeOfUnfit(name);
  if (unfit > 0) throw new BadRequest(`Invalid character in channel folder name, at position ${unfit}.`);
  const isTaken = others.some((other) => !other.isArchived && toCanonical(other.name) === toCanonical(name));
  if (isTaken) throw new BadRequest('Channel folder name already in use');
  return name;
}

export interface NewFolder {
  folderId: number;
  name: string;
  description: string;
  descriptionHtml: string;
  creatorId: number;
  nowSeconds: number;
}

/** The name of a folder that there is room for. @throws BadRequest */
export function checkNewFolder({ folders }: Folders, name: string): string {
  if (folders.length >= MAX_FOLDERS)
    throw new BadRequest(`Too many channel folders (maximum ${MAX_FOLDERS}).`);
  return checkFolderName(name, folders);
}

/** Adds the folder after all others. @throws BadRequest */
export function newFolderChange(all: Folders, input: NewFolder): Change {
  const folder: Folder = {
    folderId: input.folderId,
    name: checkNewFolder(all, input.name),
    description: input.description,
    descriptionHtml: input.descriptionHtml,
    createdAtSeconds: input.nowSeconds,
    creatorId: input.creatorId,
    isArchived: false,
  };
  const order = [...all.folders, folder].map(({ folderId }) => folderId);
  return {
    writes: [
      {
        kind: 'put',
        item: { ...channelKeys.folder(folder.folderId), ...folder },
        condition: { exists: false },
      },
      orderWrite(all, order),
    ],
    events: [
      eventForAll({
        type: 'channel_folder',
        op: 'add',
        channel_folder: toFolderRecord(folder, order.length - 1),
      }),
    ],
  };
}

export interface FolderEdit {
  name?: string | undefined;
  description?: { text: string; html: string } | undefined;
  isArchived?: boolean | undefined;
}

/** Edits a folder; undefined when nothing changes. @throws BadRequest */
export function folderEditChange(
  all: Folders,
  folder: Folder,
  edit: FolderEdit,
  isInUse: boolean,
): Change | undefined {
  const others = all.folders.filter((other) => other !== folder);
  const { isArchived = folder.isArchived } = edit;
  const description = edit.description ?? { text: folder.description, html: folder.descriptionHtml };
  const name =
    edit.name === undefined && isArchived ? folder.name : checkFolderName(edit.name ?? folder.name, others);
  if (isArchived && !folder.isArchived && isInUse)
    throw new BadRequest('You need to remove all the channels from this folder to archive it.');
  const data = {
    ...(name !== folder.name && { name }),
    ...(description.text !== folder.description && {
      description: description.text,
      rendered_description: description.html,
    }),
    ...(isArchived !== folder.isArchived && { is_archived: isArchived }),
  };
  if (Object.keys(data).length === 0) return undefined;
  return {
    writes: [
      {
        kind: 'update',
        key: channelKeys.folder(folder.folderId),
        set: { name, description: description.text, descriptionHtml: description.html, isArchived },
        condition: { exists: true, belowOrAbsent: { assignments: (folder.assignments ?? 0) + 1 } },
      },
      orderWrite(all, orderOf(all)),
    ],
    events: [eventForAll({ type: 'channel_folder', op: 'update', channel_folder_id: folder.folderId, data })],
  };
}

/** Reorders all folders; undefined when the order is unchanged. @throws BadRequest */
export function folderOrderChange(all: Folders, order: number[]): Change | undefined {
  const known = orderOf(all);
  const isWhole =
    order.length === known.length && new Set(order).symmetricDifference(new Set(known)).size === 0;
  if (!isWhole) throw new BadRequest('Invalid order mapping.');
  if (order.every((folderId, index) => folderId === known[index])) return undefined;
  return {
    writes: [orderWrite(all, order)],
    events: [eventForAll({ type: 'channel_folder', op: 'reorder', order })],
  };
}

const orderOf = ({ folders }: Folders): number[] => folders.map(({ folderId }) => folderId);

const orderWrite = ({ revision }: Folders, order: number[]): Write => ({
  kind: 'update',
  key: channelKeys.folderOrder(),
  set: { order, revision: revision + 1 },
  condition: { belowOrAbsent: { revision: revision + 1 } },
});

const eventForAll = (payload: EventPayload): LogEvent => ({ audience: { kind: 'everyone' }, payload });
