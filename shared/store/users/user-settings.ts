import {
  type ChosenSettings,
  effectiveSettings,
  type UserSettings,
} from '#shared/domain/settings/user-settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import { idOfPartition } from '#shared/table/keys/key.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** A user's stored settings; empty if all have their defaults. One strongly consistent read. */
export async function getChosenSettings(table: Table, userId: number): Promise<ChosenSettings> {
  const item = await table.find(userKeys.settings(userId));
  const { values = {}, revision = 0 } = (item ?? {}) as Partial<ChosenSettings>;
  return { values, revision };
}

/** All settings of a user. */
export const getUserSettings = async (table: Table, user: User): Promise<UserSettings> =>
  effectiveSettings(user, await getChosenSettings(table, user.userId));

/**
 * The users who let administrators export their private data. One read unit each, or half if eventually
 * consistent.
 */
export async function listConsentingIds(
  table: Table,
  users: User[],
  options: { eventually?: boolean } = {},
): Promise<Set<number>> {
  const items = await table.findMany(
    users.map(({ userId }) => userKeys.settings(userId)),
    options,
  );
  const consenting = items.filter(
    ({ values }) => (values as Partial<UserSettings>).allow_private_data_export,
  );
  return new Set(consenting.map(({ pk }) => idOfPartition(String(pk))));
}
