/** The contents of the pages with an id in their address. */
export interface Shown {
  userId: number;
  channelId: number;
  groupId: number;
}

/** The pages of everyone who is signed in, by name; the value is the part of the address from `#` on. */
export const pagesOf = ({ userId, channelId, groupId }: Shown): Record<string, string> => ({
  inbox: '#inbox',
  recent: '#recent',
  feed: '#feed',
  mentions: '#narrow/is/mentioned',
  starred: '#narrow/is/starred',
  direct: '#narrow/is/dm',
  search: '#narrow/search/onboarding',
  drafts: '#drafts',
  scheduled: '#scheduled',
  reminders: '#reminders',
  'channels-own': '#channels/subscribed',
  channels: '#channels/all',
  'channel-new': '#channels/new',
  channel: `#channels/${channelId}`,
  groups: '#groups/all',
  'group-new': '#groups/new',
  group: `#groups/${groupId}`,
  profile: `#user/${userId}`,
  'settings-profile': '#settings/profile',
  'settings-account': '#settings/account-and-privacy',
  'settings-api-tokens': '#settings/api-tokens',
  'settings-preferences': '#settings/preferences',
  'settings-notifications': '#settings/notifications',
  'settings-alert-words': '#settings/alert-words',
  'settings-muted': '#settings/muted-users',
  'settings-topics': '#settings/topics',
  invite: '#invite',
  shortcuts: '#keyboard-shortcuts',
});

/** The pages of the organization, by name. */
export const organizationPagesOf = ({
  userId,
  botId,
}: {
  userId: number;
  botId: number;
}): Record<string, string> => ({
  users: '#organization/users',
  user: `#organization/users/${userId}`,
  bots: '#organization/bots',
  bot: `#organization/bots/${botId}`,
  deactivated: '#organization/deactivated',
  invitations: '#organization/invitations',
  'organization-profile': '#organization/organization-profile',
  'organization-settings': '#organization/organization-settings',
  'organization-permissions': '#organization/organization-permissions',
  emoji: '#organization/emoji-settings',
  linkifiers: '#organization/linkifier-settings',
  playgrounds: '#organization/playground-settings',
  'profile-fields': '#organization/profile-field-settings',
  'channel-folders': '#organization/channel-folders',
  'default-channels': '#organization/default-channels-list',
  'new-people': '#organization/organization-level-user-defaults',
  exports: '#organization/data-exports-admin',
});
