import { describeUserSettings } from '#shared/domain/settings/user-settings.ts';
import { describeUsers } from '#shared/domain/users/register-data.ts';
import type { Section } from './section.ts';

/** Everybody, and the caller's own settings. */
export const userSection: Section = async ({ request, wants, users }) => {
  const { caller, filter } = request;
  return {
    ...(wants('realm_user') && describeUsers(caller, await users(), filter.clientGravatar)),
    ...(wants('user_settings') && { user_settings: describeUserSettings() }),
  };
};
