import { describeFieldTypes, toFieldRecords } from '#shared/domain/profile/field.ts';
import { describeUserSettings, type UserSettings } from '#shared/domain/settings/user-settings.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';
import type { Table } from '#shared/table/table.ts';
import type { Section } from './section.ts';

/** The caller's settings, and the custom profile fields. */
export const profileSection: Section = async ({ services, wants, ownSettings }) => {
  const [settings, fields] = await Promise.all([
    wants('user_settings') ? ownSettings().then(describeSettings) : {},
    wants('custom_profile_fields') ? describeFields(services.table) : {},
  ]);
  return { ...settings, ...fields };
};

const describeSettings = (settings: UserSettings) => ({ user_settings: describeUserSettings(settings) });

const describeFields = async (table: Table) => ({
  custom_profile_fields: toFieldRecords((await getProfileFields(table)).fields),
  custom_profile_field_types: describeFieldTypes(),
});
