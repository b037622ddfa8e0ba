import { commitAllButLast } from '#shared/actions/messages/finish-step.ts';
import { type Change, mergeChanges } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { unchangedFields } from '#shared/domain/profile/edit-fields.ts';
import { choicesOf } from '#shared/domain/profile/field-data.ts';
import { removeValuesChanges } from '#shared/domain/profile/remove-values.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';
import { listUsers } from '#shared/store/users/users.ts';

/**
 * Deletes values of a deleted field, or of choices that no longer exist. A choice that exists again keeps its
 * values.
 */
export async function removeProfileValues(
  services: Services,
  { fieldId, choices }: JobPayloads['remove-profile-values'],
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
  return commitAllButLast(services, changes);
}
