import { roles } from '#shared/domain/users/user.ts';
import type { Permission } from './permission.ts';

const administrator = { role: roles.administrator };
const owner = { role: roles.owner };

/** All permissions. `docs/permissions.md` is generated from them. */
export const permissions = {
  useOwn: {
    anyOf: [{ relation: 'isOneself' }],
  },

  // Channels
  knowChannel: {
    anyOf: [administrator, { relation: 'reachesContent' }, { relation: 'administersAsMember' }],
  },
  joinChannel: {
    anyOf: [{ channel: 'can_subscribe_group' }],
  },
  joinPrivateChannel: {
    anyOf: [{ channel: 'can_add_subscribers_group' }],
    isForMembers: true,
  },
  addSubscribers: {
    anyOf: [
      { organization: 'can_add_subscribers_group' },
      { channel: 'can_add_subscribers_group' },
      { channel: 'can_administer_channel_group' },
      administrator,
    ],
    required: ['reachesContent'],
    isForMembers: true,
  },
  removeSubscribers: {
    anyOf: [
      { channel: 'can_remove_subscribers_group' },
      { channel: 'can_administer_channel_group' },
      administrator,
    ],
    required: ['knowsChannel'],
  },
  removeOwnBot: {
    anyOf: [{ relation: 'ownsBot' }],
    required: ['readsChannel'],
  },
  removeFeed: {
    anyOf: [administrator, { channel: 'can_administer_channel_group' }, { relation: 'ownsBot' }],
    required: ['knowsChannel'],
  },
  administerChannel: {
    anyOf: [administrator, { channel: 'can_administer_channel_group' }],
  },
  editChannel: {
    anyOf: [administrator, { channel: 'can_administer_channel_group' }],
    required: ['knowsChannel'],
    isForMembers: true,
  },
  createPublicChannel: {
    anyOf: [{ organization: 'can_create_public_channel_group' }],
  },
  createPrivateChannel: {
    anyOf: [{ organization: 'can_create_private_channel_group' }],
  },
  createWebPublicChannel: {
    anyOf: [{ organization: 'can_create_web_public_channel_group' }],
  },
  setTopicsPolicy: {
    anyOf: [{ organization: 'can_set_topics_policy_group' }],
  },
  setDeletionPolicy: {
    anyOf: [{ organization: 'can_set_delete_message_policy_group' }],
  },
  setDefaultChannels: {
    anyOf: [administrator],
  },
  setDefaultPushNotifications: {
    anyOf: [administrator],
  },
  setRetention: {
    anyOf: [owner],
  },
  readMessages: { anyOf: [{ relation: 'readsChannel' }] },
  post: { anyOf: [{ channel: 'can_send_message_group' }] },
  editContent: { anyOf: [{ relation: 'sentMessage' }] },
  moveBetweenTopics: {
    anyOf: [
      { organization: 'can_move_messages_between_topics_group' },
      { channel: 'can_move_messages_within_channel_group' },
      { channel: 'can_administer_channel_group' },
    ],
  },
  moveBetweenChannels: {
    anyOf: [
      { organization: 'can_move_messages_between_channels_group' },
      { channel: 'can_move_messages_out_of_channel_group' },
      { channel: 'can_administer_channel_group' },
    ],
  },
  resolveTopics: {
    anyOf: [
      { organization: 'can_resolve_topics_group' },
      { channel: 'can_resolve_topics_group' },
      { channel: 'can_administer_channel_group' },
    ],
  },
  deleteAnyMessage: {
    anyOf: [{ organization: 'can_delete_any_message_group' }, { channel: 'can_delete_any_message_group' }],
  },
  deleteOwnMessage: {
    anyOf: [{ organization: 'can_delete_own_message_group' }, { channel: 'can_delete_own_message_group' }],
    required: ['sentMessage'],
  },
  mentionMany: { anyOf: [{ organization: 'can_mention_many_users_group' }] },
  startTopic: { anyOf: [{ channel: 'can_create_topic_group' }] },

  // Direct messages
  authorizeConversation: {
    anyOf: [{ organization: 'direct_message_permission_group' }],
  },
  beginConversation: {
    anyOf: [{ organization: 'direct_message_initiator_group' }],
  },

  // User groups
  createGroup: { anyOf: [{ organization: 'can_create_groups' }] },
  manageGroup: {
    anyOf: [{ organization: 'can_manage_all_groups' }, { group: 'can_manage_group' }],
  },
  addGroupMembers: {
    anyOf: [
      { organization: 'can_manage_all_groups' },
      { group: 'can_manage_group' },
      { group: 'can_add_members_group' },
    ],
  },
  joinGroup: {
    anyOf: [{ group: 'can_join_group' }],
    required: ['isOneself'],
  },
  removeGroupMembers: {
    anyOf: [
      { organization: 'can_manage_all_groups' },
      { group: 'can_manage_group' },
      { group: 'can_remove_members_group' },
    ],
  },
  leaveGroup: {
    anyOf: [{ group: 'can_leave_group' }],
    required: ['isOneself'],
  },
  mentionGroup: { anyOf: [{ group: 'can_mention_group' }] },

  // Users and the organization
  addCustomEmoji: { anyOf: [{ organization: 'can_add_custom_emoji_group' }] },
  deactivateCustomEmoji: { anyOf: [administrator, { relation: 'addedEmoji' }] },
  seeEverybody: { anyOf: [{ organization: 'can_access_all_users_group' }] },
  inviteUsers: { anyOf: [{ organization: 'can_invite_users_group' }] },
  createInvitationLinks: { anyOf: [{ organization: 'create_multiuse_invite_group' }] },
  inviteAdministrators: { anyOf: [administrator] },
  inviteOwners: { anyOf: [owner] },
  manageInvitation: { anyOf: [administrator, { relation: 'isOneself' }] },
  chooseWelcome: { anyOf: [administrator] },
  createBot: { anyOf: [{ organization: 'can_create_bots_group' }] },
  createWebhookBot: {
    anyOf: [{ organization: 'can_create_bots_group' }, { organization: 'can_create_write_only_bots_group' }],
  },
  administerBot: {
    anyOf: [administrator, { relation: 'ownsBot' }],
  },
  editUsers: { anyOf: [administrator] },
  editOwners: { anyOf: [owner] },
  exportWithoutConsent: { anyOf: [owner] },
  editOrganizationForOwners: {
    anyOf: [owner],
  },
} satisfies Record<string, Permission>;

export type PermissionName = keyof typeof permissions;
