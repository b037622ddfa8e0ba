import type { Change } from '#shared/domain/change.ts';
import { choicesOf } from '#shared/domain/profile/field-data.ts';
import { type RemovedValues, removeValuesChanges } from '#shared/domain/profile/remove-values.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getProfileFields } from '#shared/store/profile-fields.ts';
import { listUsers } from '#shared/store/users.ts';

/** What people said in a field that is gone, or chose of what is no choice any more, goes too. */
export async function removeProfileValues(
  services: Services,
  { fieldId, choices }: RemovedValues,
): Promise<Change | undefined> {
  const { table } = services;
  const { fields } = await getProfileFields(table);
  const field = fields.find(({ id }) => id === fieldId);
  // A choice may have come back meanwhile.
  const offered = field ? choicesOf(field) : [];
  const gone = choices?.filter((choice) => !offered.includes(choice));
  const removed = { fieldId, ...(gone && { choices: gone }) };
  const changes = removeValuesChanges(await listUsers(table), removed);
  const last = changes.pop();
  for (const change of changes) await commit(services, change);
  return last;
}
