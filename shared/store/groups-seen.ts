import type { WhoKnows } from '#shared/domain/channels/who-knows.ts';
import type { Table } from '#shared/table/table.ts';
import { readGraphRevision } from './group-graph.ts';
import { readWhoKnows } from './who-knows.ts';

/** How often groups and those in them changed; to be read before both, and to be named when it is committed what follows. */
export async function readGroupsSeen(table: Table): Promise<{ graphRevision: number; whoKnows: WhoKnows }> {
  const [graphRevision, whoKnows] = await Promise.all([readGraphRevision(table), readWhoKnows(table)]);
  return { graphRevision, whoKnows };
}
