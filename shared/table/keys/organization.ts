import { idSortKey, type Key } from './key.ts';

export const organizationPartitions = { customEmoji: () => 'CUSTOM_EMOJI' };

type CounterName =
  | 'api-token'
  | 'channel'
  | 'channel-folder'
  | 'device'
  | 'custom-emoji'
  | 'draft'
  | 'feed'
  | 'group'
  | 'invitation'
  | 'log'
  | 'saved-snippet'
  | 'scheduled-message'
  | 'upload'
  | 'user'
  | 'who-knows';

export const organizationKeys = {
  organization: (): Key => ({ pk: 'ORGANIZATION', sk: 'ORGANIZATION' }),
  /** The last id or position given to an object of the kind. */
  counter: (name: CounterName): Key => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
  /** Present while the organization is deactivated. */
  closure: (): Key => ({ pk: 'ORGANIZATION', sk: 'DEACTIVATED' }),
  defaultGroups: (): Key => ({ pk: 'ORGANIZATION', sk: 'DEFAULT_CHANNEL_GROUPS' }),
  profileFields: (): Key => ({ pk: 'ORGANIZATION', sk: 'PROFILE_FIELDS' }),
  profileFieldsRevision: (): Key => ({ pk: 'ORGANIZATION', sk: 'PROFILE_FIELDS_REVISION' }),
  linkifiers: (): Key => ({ pk: 'ORGANIZATION', sk: 'LINKIFIERS' }),
  linkifiersRevision: (): Key => ({ pk: 'ORGANIZATION', sk: 'LINKIFIERS_REVISION' }),
  playgrounds: (): Key => ({ pk: 'ORGANIZATION', sk: 'PLAYGROUNDS' }),
  customEmoji: (emojiId: number): Key => ({
    pk: organizationPartitions.customEmoji(),
    sk: idSortKey(emojiId),
  }),
  customEmojiName: (name: string): Key => ({ pk: `CUSTOM_EMOJI_NAME#${name}`, sk: 'CUSTOM_EMOJI_NAME' }),
  retention: (): Key => ({ pk: 'RETENTION', sk: 'RETENTION' }),
  traffic: (): Key => ({ pk: 'TRAFFIC', sk: 'TRAFFIC' }),
  exports: (): Key => ({ pk: 'EXPORTS', sk: 'EXPORTS' }),
  exportProgress: (exportId: number): Key => ({ pk: `EXPORT#${exportId}`, sk: 'PROGRESS' }),
};
