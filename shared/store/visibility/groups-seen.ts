import type { VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { readGraphRevision } from '#shared/store/user-groups/group-graph.ts';
import type { Table } from '#shared/table/table.ts';
import { readVisibilityRevision } from './visibility-revision.ts';

/** The revisions of groups and memberships. Read them before both; the commit's condition names them. */
export async function readGroupsSeen(
  table: Table,
): Promise<{ graphRevision: number; visibilityRevision: VisibilityRevision }> {
  const [graphRevision, visibilityRevision] = await Promise.all([
    readGraphRevision(table),
    readVisibilityRevision(table),
  ]);
  return { graphRevision, visibilityRevision };
}
