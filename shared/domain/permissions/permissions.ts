import { roles } from '#shared/domain/users/user.ts';
import type { Permission } from './permission.ts';

const administrator = { role: roles.administrator };
const owner = { role: roles.owner };

/** Everything that some may do and others may not. `docs/permissions.md` is made of it. */
export const permissions = {
  useOwn: {
    allows: 'use a queue, a scheduled message or a subscription: everybody their own',
    anyOf: [{ relation: 'isOneself' }],
  },

  // Channels
  knowChannel: {
    allows: 'know that a channel exists, and what it is like',
    anyOf: [administrator, { relation: 'reachesContent' }, { relation: 'administersAsMember' }],
  },
  joinChannel: {
    allows: 'subscribe oneself to a private channel, or as a guest to any',
    anyOf: [{ channel: 'can_subscribe_group' }],
  },
  joinPrivateChannel: {
    allows: 'subscribe oneself to a private channel to which one may add others',
    anyOf: [{ channel: 'can_add_subscribers_group' }],
    isForMembers: true,
  },
  addSubscribers: {
    allows: 'subscribe others to a channel',
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
    allows: 'unsubscribe others from a channel',
    anyOf: [
      { channel: 'can_remove_subscribers_group' },
      { channel: 'can_administer_channel_group' },
      administrator,
    ],
    required: ['knowsChannel'],
  },
  removeOwnBot: {
    allows: 'unsubscribe a bot of one’s own from a channel',
    anyOf: [{ relation: 'ownsBot' }],
    required: ['readsChannel'],
  },
  administerChannel: {
    allows: 'administer a channel',
    anyOf: [administrator, { channel: 'can_administer_channel_group' }],
  },
  editChannel: {
    allows: 'change the settings of a channel, archive it, bring it back',
    anyOf: [administrator, { channel: 'can_administer_channel_group' }],
    required: ['knowsChannel'],
    isForMembers: true,
  },
  createPublicChannel: {
    allows: 'create a public channel, or make one public',
    anyOf: [{ organization: 'can_create_public_channel_group' }],
  },
  createPrivateChannel: {
    allows: 'create a private channel, or make one private',
    anyOf: [{ organization: 'can_create_private_channel_group' }],
  },
  createWebPublicChannel: {
    allows: 'create a web-public channel, or make one web-public',
    anyOf: [{ organization: 'can_create_web_public_channel_group' }],
  },
  setTopicsPolicy: {
    allows: 'say whether messages of a channel need a topic',
    anyOf: [{ organization: 'can_set_topics_policy_group' }],
  },
  setDeletionPolicy: {
    allows: 'say who may delete messages of a channel',
    anyOf: [{ organization: 'can_set_delete_message_policy_group' }],
  },
  setDefaultChannels: {
    allows: 'say to which channels new accounts are subscribed',
    anyOf: [administrator],
  },
  setRetention: {
    allows: 'say how long messages of a channel are kept',
    anyOf: [owner],
  },
  readMessages: { allows: 'read messages of a channel', anyOf: [{ relation: 'readsChannel' }] },
  post: { allows: 'post to a channel', anyOf: [{ channel: 'can_send_message_group' }] },
  startTopic: { allows: 'start a topic in a channel', anyOf: [{ channel: 'can_create_topic_group' }] },

  // Direct messages
  authorizeConversation: {
    allows: 'take part in a conversation so that people may write in it',
    anyOf: [{ organization: 'direct_message_permission_group' }],
  },
  beginConversation: {
    allows: 'begin a conversation',
    anyOf: [{ organization: 'direct_message_initiator_group' }],
  },

  // User groups
  createGroup: { allows: 'create a user group', anyOf: [{ organization: 'can_create_groups' }] },
  manageGroup: {
    allows: 'change, deactivate and reactivate a user group, and all that follows',
    anyOf: [{ organization: 'can_manage_all_groups' }, { group: 'can_manage_group' }],
  },
  addGroupMembers: {
    allows: 'add members and subgroups to a user group',
    anyOf: [
      { organization: 'can_manage_all_groups' },
      { group: 'can_manage_group' },
      { group: 'can_add_members_group' },
    ],
  },
  joinGroup: {
    allows: 'add oneself to a user group',
    anyOf: [{ group: 'can_join_group' }],
    required: ['isOneself'],
  },
  removeGroupMembers: {
    allows: 'remove members and subgroups from a user group',
    anyOf: [
      { organization: 'can_manage_all_groups' },
      { group: 'can_manage_group' },
      { group: 'can_remove_members_group' },
    ],
  },
  leaveGroup: {
    allows: 'remove oneself from a user group',
    anyOf: [{ group: 'can_leave_group' }],
    required: ['isOneself'],
  },

  // Users and the organization
  inviteUsers: { allows: 'invite people', anyOf: [{ organization: 'can_invite_users_group' }] },
  createBot: { allows: 'create a bot', anyOf: [{ organization: 'can_create_bots_group' }] },
  createWebhookBot: {
    allows: 'create a bot that can only send messages',
    anyOf: [{ organization: 'can_create_bots_group' }, { organization: 'can_create_write_only_bots_group' }],
  },
  administerBot: {
    allows: 'change and deactivate a bot, read and renew its API key',
    anyOf: [administrator, { relation: 'ownsBot' }],
  },
  editUsers: { allows: 'change, deactivate and reactivate users', anyOf: [administrator] },
  editOwners: { allows: 'make somebody an owner, change or deactivate one', anyOf: [owner] },
  editOrganizationForOwners: {
    allows: 'change how people join the organization, how long messages are kept, who manages groups',
    anyOf: [owner],
  },
} satisfies Record<string, Permission>;

export type PermissionName = keyof typeof permissions;
