import { describeFieldTypes, toFieldRecords } from '#shared/domain/profile/field.ts';
import { describeUserSettings } from '#shared/domain/settings/user-settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import { getProfileFields } from '#shared/store/profile-fields.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';
import type { Table } from '#shared/table/table.ts';
import type { Section } from './section.ts';

/** The caller's own settings, and the fields that profiles have. */
export const profileSection: Section = async ({ services: { table }, request, wants }) => {
  const [settings, fields] = await Promise.all([
    wants('user_settings') ? describeSettings(table, request.caller) : {},
    wants('custom_profile_fields') ? describeFields(table) : {},
  ]);
  return { ...settings, ...fields };
};

const describeSettings = async (table: Table, caller: User) => ({
  user_settings: describeUserSettings(await getUserSettings(table, caller)),
});

const describeFields = async (table: Table) => ({
  custom_profile_fields: toFieldRecords((await getProfileFields(table)).fields),
  custom_profile_field_types: describeFieldTypes(),
});
