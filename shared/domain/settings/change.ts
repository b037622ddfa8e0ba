import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { languageNames } from './languages.ts';
import type { ChosenSettings, UserSettings } from './user-settings.ts';

/** The given settings that differ from the current ones. */
export const settingDifferences = (
  before: UserSettings,
  input: Partial<UserSettings>,
): Partial<UserSettings> =>
  Object.fromEntries(
    Object.entries(input).filter(([name, value]) => before[name as keyof UserSettings] !== value),
  );

/**
 * Stores the chosen settings on condition that they have not changed; empty when none of them is stored here.
 */
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
      item: { ...userKeys.settings(userId), values: { ...chosen.values, ...values }, revision },
      condition: { belowOrAbsent: { revision } },
    },
  ];
}

/** The settings copied into the account, so that requests need not load them separately. */
export const accountPart = ({
  automatically_follow_topics_policy: followsTopicsFrom,
}: Partial<UserSettings>): Pick<User, 'followsTopicsFrom'> =>
  followsTopicsFrom === undefined ? {} : { followsTopicsFrom };

/**
 * The events of changed settings: for the user's own queues, and for administrators about consent to exports.
 */
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
