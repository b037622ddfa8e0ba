import type { Change } from '#shared/domain/change.ts';
import { mergeChanges } from '#shared/domain/merge-changes.ts';
import { unchangedFields } from '#shared/domain/profile/edit-fields.ts';
import { choicesOf } from '#shared/domain/profile/field-data.ts';
import { type RemovedValues, removeValuesChanges } from '#shared/domain/profile/remove-values.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getProfileFields } from '#shared/store/profile-fields.ts';
import { listUsers } from '#shared/store/users.ts';

/**
 * What people said in a field that is gone, or chose of what is no choice any more, goes too. A choice that has come back
 * keeps its values.
 */
export async function removeProfileValues(
  services: Services,
  { fieldId, choices }: RemovedValues,
): Promise<Change | undefined> {
  const { table } = services;
  const known = await getProfileFields(table);
  const field = known.fields.find(({ id }) => id === fieldId);
  const offered = field ? choicesOf(field) : [];
  const gone = choices?.filter((choice) => !offered.includes(choice));
  const removed = { fieldId, ...(gone && { choices: gone }) };
  const changes = removeValuesChanges(await listUsers(table), removed).map((change) =>
    mergeChanges(change, { writes: [unchangedFields(known)] }),
  );
  const last = changes.pop();
  for (const change of changes) await commit(services, change);
  return last;
}
