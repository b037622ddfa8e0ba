import type { ProfileKnowledge } from '#shared/domain/profile/data.ts';
import type { ProfileFields } from '#shared/domain/profile/field.ts';
import { type GivenProfileValue, usersNamedIn } from '#shared/domain/profile/given.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { listUsersById } from './users.ts';

/** The custom profile fields of the organization. One strongly consistent read. */
export async function getProfileFields(table: Table): Promise<ProfileFields> {
  const item = await table.find(organizationKeys.profileFields());
  const { fields = [], lastId = 0, revision = 0 } = (item ?? {}) as Partial<ProfileFields>;
  return { fields, lastId, revision };
}

/** The state for validating profile values. @throws BadRequest when a value names too many users */
export async function getProfileKnowledge(
  table: Table,
  input: GivenProfileValue[],
): Promise<Omit<ProfileKnowledge, 'byAdministrator'>> {
  const fields = await getProfileFields(table);
  return { fields, users: await listUsersById(table, usersNamedIn(fields, input)) };
}
