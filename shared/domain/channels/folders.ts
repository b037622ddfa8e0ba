import { BadRequest } from '#shared/domain/errors.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';

/** A folder groups channels of one subject. */
export interface Folder {
  folderId: number;
  name: string;
  description: string;
  descriptionHtml: string;
  createdAtSeconds: number;
  creatorId: number;
  isArchived: boolean;
  /** How often a channel was put into the folder. */
  assignments?: number;
}

/**
 * All folders in order. Every change of one raises the revision, so that no decision rests on stale folders.
 */
export interface Folders {
  folders: Folder[];
  revision: number;
}

export const folderLimits = { name: 60, description: 1024 } as const;

/** The folder record of the protocol. */
export const toFolderRecord = (folder: Folder, order: number) => ({
  id: folder.folderId,
  name: folder.name,
  description: folder.description,
  rendered_description: folder.descriptionHtml,
  order,
  date_created: folder.createdAtSeconds,
  creator_id: folder.creatorId,
  is_archived: folder.isArchived,
});

export const toFolderRecords = ({ folders }: Folders) => folders.map(toFolderRecord);

/** @throws BadRequest for an unknown or archived folder */
export function requireUsableFolder({ folders }: Folders, folderId: number): Folder {
  const folder = requireFolder({ folders }, folderId);
  if (folder.isArchived) throw new BadRequest('Invalid channel folder ID');
  return folder;
}

/** @throws BadRequest for an unknown folder */
export function requireFolder({ folders }: Pick<Folders, 'folders'>, folderId: number): Folder {
  const folder = folders.find((candidate) => candidate.folderId === folderId);
  if (!folder) throw new BadRequest('Invalid channel folder ID');
  return folder;
}

/** Counts this many channels into a folder, on condition that it has not been archived. */
export const assignmentWrite = (folderId: number, count = 1): Write => ({
  kind: 'update',
  key: channelKeys.folder(folderId),
  add: { assignments: count },
  condition: { equals: { isArchived: false } },
});
