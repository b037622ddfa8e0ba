import type { GroupKnowledge } from '#shared/domain/users/deactivate.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listGroupGraph } from '#shared/store/user-groups/group-graph.ts';
import type { Table } from '#shared/table/table.ts';
import { readVisibilityRevision } from './visibility-revision.ts';

/** All groups with their members, and the waiting period for new members. */
export async function loadGroupKnowledge(table: Table): Promise<GroupKnowledge> {
  const visibilityRevision = await readVisibilityRevision(table);
  const [graph, { settings }] = await Promise.all([listGroupGraph(table), getOrganization(table)]);
  return { graph, waitingPeriodDays: settings.waiting_period_threshold, visibilityRevision };
}
