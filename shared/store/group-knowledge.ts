import type { GroupKnowledge } from '#shared/domain/users/deactivate.ts';
import type { Table } from '#shared/table/table.ts';
import { listGroupGraph } from './group-graph.ts';
import { getOrganization } from './organization.ts';
import { readWhoKnows } from './who-knows.ts';

/** All groups with their members, and for how long members are new. */
export async function loadGroupKnowledge(table: Table): Promise<GroupKnowledge> {
  const whoKnows = await readWhoKnows(table);
  const [graph, { settings }] = await Promise.all([listGroupGraph(table), getOrganization(table)]);
  return { graph, waitingPeriodDays: settings.waiting_period_threshold, whoKnows };
}
