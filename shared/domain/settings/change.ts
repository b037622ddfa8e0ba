import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { languageNames } from './languages.ts';
import type { ChosenSettings, UserSettings } from './user-settings.ts';

/** The settings among those given that are not so already. */
export const settingDifferences = (
  before: UserSettings,
  given: Partial<UserSettings>,
): Partial<UserSettings> =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => before[name as keyof UserSettings] !== value),
  );

/** Stores what a user chose, unless somebody was faster; nothing when nothing is stored here. */
export function settingWrites(
  userId: number,
  chosen: ChosenSettings,
  differences: Partial<UserSettings>,
): Write[] {
  const { timezone: _keptWithTheAccount, email_address_visibility: _too, ...values } = differences;
  if (Object.keys(values).length === 0) return [];
  const revision = chosen.revision + 1;
  return [
    {
      kind: 'put',
      item: { ...keys.userSettings(userId), values: { ...chosen.values, ...values }, revision },
      condition: { belowOrAbsent: { revision } },
    },
  ];
}

/** What the account holds of settings, so that whoever acts need not look them up. */
export const accountPart = ({
  automatically_follow_topics_policy: followsTopicsFrom,
}: Partial<UserSettings>): Pick<User, 'followsTopicsFrom'> =>
  followsTopicsFrom === undefined ? {} : { followsTopicsFrom };

/** What hears of changed settings: the user's own queues, and administrators of the consent that they ask for. */
export const settingEvents = (userId: number, differences: Partial<UserSettings>): LogEvent[] => [
  ...Object.entries(differences).map(
    ([property, value]): LogEvent => ({
      audience: { kind: 'users', userIds: [userId] },
      payload: {
        type: 'user_settings',
        op: 'update',
        property,
        value,
        ...(property === 'default_language' && { language_name: languageNames.get(String(value)) }),
      },
    }),
  ),
  ...consentEvents(userId, differences),
];

const consentEvents = (
  userId: number,
  { allow_private_data_export: consented }: Partial<UserSettings>,
): LogEvent[] =>
  consented === undefined
    ? []
    : [
        {
          audience: { kind: 'administrators' },
          payload: { type: 'realm_export_consent', user_id: userId, consented },
        },
      ];
