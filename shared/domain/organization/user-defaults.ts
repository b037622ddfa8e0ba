import type { Change } from '#shared/domain/change.ts';
import {
  defaultUserSettings,
  newUserSettings,
  type SharedSettings,
  type UserSettings,
} from '#shared/domain/settings/user-settings.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Organization } from './organization.ts';

/** Presets settings for new users; undefined when nothing changes. */
export function userDefaultsChange(
  { userDefaults = {}, revision }: Organization,
  input: Partial<SharedSettings>,
): Change | undefined {
  const before = newUserSettings(userDefaults);
  const differences = Object.entries(input).filter(
    ([name, value]) => before[name as keyof SharedSettings] !== value,
  );
  if (differences.length === 0) return undefined;
  return {
    writes: [
      {
        kind: 'update',
        key: organizationKeys.organization(),
        set: {
          userDefaults: { ...userDefaults, ...Object.fromEntries(differences) },
          revision: revision + 1,
        },
        condition: { belowOrAbsent: { revision: revision + 1 } },
      },
    ],
    events: differences.map(([property, value]) => ({
      audience: { kind: 'everyone' },
      payload: { type: 'realm_user_settings_defaults', op: 'update', property, value },
    })),
  };
}

/** The initial settings of a new account: the organization's presets. */
export function beginningSettings({
  settings,
  userDefaults = {},
}: Pick<Organization, 'settings' | 'userDefaults'>): Partial<UserSettings> {
  const { default_language } = settings;
  return {
    ...userDefaults,
    ...(default_language !== defaultUserSettings.default_language && { default_language }),
  };
}
