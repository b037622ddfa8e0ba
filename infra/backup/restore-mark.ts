import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { fromLine, type RawItem, type RawTable, toLine } from './raw-items.ts';

/**
 * The progress of a restore. It is in the table itself, at the key that marks a deactivated organization: requests are
 * refused while it exists, the sweep does nothing, and another run finds where to continue.
 */
export interface RestoreProgress {
  archiveId: string;
  /** The old content of the table must be removed first. */
  isEmptying: boolean;
  /** The number of entries of the archive that are restored. */
  entries: number;
  /** The number of their items that were left out. */
  leftOut: number;
  /** The item that the archive has in the place of the mark, as a line. */
  held?: string;
}

const isMarkKey = ({ pk, sk }: RawItem): boolean =>
  pk?.S === organizationKeys.closure().pk && sk?.S === organizationKeys.closure().sk;

/** The progress of an unfinished restore into a table. */
export async function findProgress(table: RawTable): Promise<RestoreProgress | undefined> {
  const item = await table.find(organizationKeys.closure());
  return item && (unmarshall(item).restore as RestoreProgress | undefined);
}

export async function saveProgress(table: RawTable, restore: RestoreProgress): Promise<void> {
  const item = { ...organizationKeys.closure(), atSeconds: 0, byUserId: 0, restore };
  await table.put([marshall(item)]);
}

/** Opens the organization, unless it was deactivated when it was backed up. */
export async function endProgress(table: RawTable, { held }: RestoreProgress): Promise<void> {
  if (held) await table.put([withoutDeletion(fromLine(held))]);
  else await table.remove([marshall(organizationKeys.closure())]);
}

/** Keeps the restored data: an operator restores it because it is wanted. The organization stays deactivated. */
function withoutDeletion(mark: RawItem): RawItem {
  const { eraseAtSeconds: _at, erasingSinceSeconds: _since, erasedAtSeconds: _end, ...others } = mark;
  return others;
}

/** Takes the item out that has to wait for the end. */
export function withoutMark(items: RawItem[], progress: RestoreProgress): RawItem[] {
  const mark = items.find(isMarkKey);
  if (mark) progress.held = toLine(mark);
  return items.filter((item) => !isMarkKey(item));
}
