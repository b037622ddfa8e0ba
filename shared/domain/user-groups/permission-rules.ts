import type { ChannelGroupSetting } from '#shared/domain/channels/channel.ts';
import type { OrganizationGroupSetting } from '#shared/domain/organization/settings.ts';
import type { GroupGroupSetting } from './group.ts';
import { systemGroups } from './group-setting.ts';

/** The names of the system groups, by id. */
export const systemGroupNames: Record<number, string> = {
  [systemGroups.nobody]: 'role:nobody',
  [systemGroups.owners]: 'role:owners',
  [systemGroups.administrators]: 'role:administrators',
  [systemGroups.moderators]: 'role:moderators',
  [systemGroups.fullMembers]: 'role:fullmembers',
  [systemGroups.members]: 'role:members',
  [systemGroups.everyone]: 'role:everyone',
  [systemGroups.internet]: 'role:internet',
};

/** The groups that a setting may name. No setting may name everyone on the Internet. */
export interface PermissionRule {
  /** Allows the system group `role:nobody`. */
  allowsNobody: boolean;
  /** Allows everyone, guests included. */
  allowsEveryone: boolean;
  /** Allows system groups only. */
  needsSystemGroup?: true;
  /** Limits the system groups to these. */
  allowedSystemGroups?: number[];
}

const anybody: PermissionRule = { allowsNobody: true, allowsEveryone: true };
const notEveryone: PermissionRule = { allowsNobody: true, allowsEveryone: false };
const neverEmpty: PermissionRule = { allowsNobody: false, allowsEveryone: false };

const ofTheOrganization: Record<OrganizationGroupSetting, PermissionRule> = {
  can_access_all_users_group: {
    allowsNobody: false,
    allowsEveryone: true,
    needsSystemGroup: true,
    allowedSystemGroups: [systemGroups.everyone, systemGroups.members],
  },
  can_add_custom_emoji_group: notEveryone,
  can_add_subscribers_group: notEveryone,
  can_create_bots_group: notEveryone,
  can_create_groups: notEveryone,
  can_create_private_channel_group: notEveryone,
  can_create_public_channel_group: notEveryone,
  can_create_web_public_channel_group: {
    allowsNobody: true,
    allowsEveryone: false,
    needsSystemGroup: true,
    allowedSystemGroups: [
      systemGroups.moderators,
      systemGroups.administrators,
      systemGroups.owners,
      systemGroups.nobody,
    ],
  },
  can_create_write_only_bots_group: notEveryone,
  can_delete_any_message_group: notEveryone,
  can_delete_own_message_group: anybody,
  can_invite_users_group: notEveryone,
  can_manage_all_groups: neverEmpty,
  can_manage_billing_group: neverEmpty,
  can_mention_many_users_group: anybody,
  can_move_messages_between_channels_group: notEveryone,
  can_move_messages_between_topics_group: anybody,
  can_resolve_topics_group: anybody,
  can_set_delete_message_policy_group: notEveryone,
  can_set_topics_policy_group: anybody,
  can_summarize_topics_group: anybody,
  create_multiuse_invite_group: notEveryone,
  direct_message_initiator_group: anybody,
  direct_message_permission_group: anybody,
  workplace_users_group: anybody,
};

const ofChannels: Record<ChannelGroupSetting, PermissionRule> = {
  can_add_subscribers_group: notEveryone,
  can_administer_channel_group: notEveryone,
  can_create_topic_group: anybody,
  can_delete_any_message_group: anybody,
  can_delete_own_message_group: anybody,
  can_move_messages_out_of_channel_group: anybody,
  can_move_messages_within_channel_group: anybody,
  can_remove_subscribers_group: anybody,
  can_resolve_topics_group: anybody,
  can_send_message_group: anybody,
  can_subscribe_group: notEveryone,
};

const ofGroups: Record<GroupGroupSetting, PermissionRule> = {
  can_add_members_group: notEveryone,
  can_join_group: notEveryone,
  can_leave_group: anybody,
  can_manage_group: notEveryone,
  can_mention_group: anybody,
  can_remove_members_group: notEveryone,
};

/** The rules of all group settings, as register describes them and `requireValidSettings` enforces them. */
export const permissionRules = {
  organization: ofTheOrganization,
  channel: ofChannels,
  group: ofGroups,
} satisfies Record<string, Record<string, PermissionRule>>;
export type SettingOwner = keyof typeof permissionRules;
