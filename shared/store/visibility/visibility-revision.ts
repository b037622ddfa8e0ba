import type { VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';

/** Read it before the state that the decision depends on. */
export async function readVisibilityRevision(table: Table): Promise<VisibilityRevision> {
  const { people, channels } = (await table.find(organizationKeys.counter('who-knows'))) ?? {};
  return { people: Number(people ?? 0), channels: Number(channels ?? 0) };
}
