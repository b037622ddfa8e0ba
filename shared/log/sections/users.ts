import { describeFieldTypes, toFieldRecords } from '#shared/domain/profile/field.ts';
import { describeUserSettings } from '#shared/domain/settings/user-settings.ts';
import { describeUsers } from '#shared/domain/users/register-data.ts';
import { getProfileFields } from '#shared/store/profile-fields.ts';
import { listUsers } from '#shared/store/users.ts';
import type { Section } from './section.ts';

/** Everybody, and the caller's own settings. */
export const userSection: Section = async ({ services, request, wants }) => {
  const { caller, filter } = request;
  const { fields } = wants('custom_profile_fields') ? await getProfileFields(services.table) : { fields: [] };
  return {
    ...(wants('custom_profile_fields') && {
      custom_profile_fields: toFieldRecords(fields),
      custom_profile_field_types: describeFieldTypes(),
    }),
    ...(wants('realm_user') && describeUsers(caller, await listUsers(services.table), filter.clientGravatar)),
    ...(wants('user_settings') && { user_settings: describeUserSettings() }),
  };
};
