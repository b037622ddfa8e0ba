import type { Relation } from '#shared/domain/permissions/permission.ts';
import type { PermissionName } from '#shared/domain/permissions/permissions.ts';

/** What each rule allows to do. */
export const ruleTexts: Record<PermissionName, string> = {
  useOwn:
    'use a queue, a scheduled message, a reminder, a reaction, a subscription, a draft, a saved snippet or a navigation view: everybody their own',
  knowChannel: 'know that a channel exists, and what it is like',
  joinChannel: 'subscribe oneself to a private channel, or as a guest to any',
  joinPrivateChannel: 'subscribe oneself to a private channel to which one may add others',
  addSubscribers: 'subscribe others to a channel',
  removeSubscribers: 'unsubscribe others from a channel',
  removeOwnBot: 'unsubscribe a bot of one’s own from a channel',
  administerChannel: 'administer a channel',
  editChannel: 'change the settings of a channel, archive it, bring it back',
  createPublicChannel: 'create a public channel, or make one public',
  createPrivateChannel: 'create a private channel, or make one private',
  createWebPublicChannel: 'create a web-public channel, or make one web-public',
  setTopicsPolicy: 'say whether messages of a channel need a topic',
  setDeletionPolicy: 'say who may delete messages of a channel',
  setDefaultChannels: 'say to which channels new accounts are subscribed',
  setRetention: 'say how long messages of a channel are kept',
  readMessages: 'read messages of a channel',
  post: 'post to a channel',
  editContent: 'change the text of a message that one sent',
  moveBetweenTopics: 'move messages to another topic',
  moveBetweenChannels: 'move messages to another channel',
  resolveTopics: 'mark topics as resolved, or as not resolved',
  deleteAnyMessage: 'delete messages, whoever sent them',
  deleteOwnMessage: 'delete messages of one’s own, or of one’s bots',
  mentionMany:
    'mention everybody in a channel of more than 15 subscribers, or in a topic of more than 15 participants',
  startTopic: 'start a topic in a channel',
  authorizeConversation: 'take part in a conversation so that people may write in it',
  beginConversation: 'begin a conversation',
  createGroup: 'create a user group',
  manageGroup: 'change, deactivate and reactivate a user group, and all that follows',
  addGroupMembers: 'add members and subgroups to a user group',
  joinGroup: 'add oneself to a user group',
  removeGroupMembers: 'remove members and subgroups from a user group',
  leaveGroup: 'remove oneself from a user group',
  mentionGroup: 'mention a user group',
  addCustomEmoji: 'add an emoji of the organization’s own',
  deactivateCustomEmoji: 'deactivate an emoji of the organization’s own',
  seeEverybody: 'see people with whom one shares neither a channel nor a conversation',
  inviteUsers: 'invite people',
  createInvitationLinks: 'make a link by which many people can join',
  inviteAdministrators: 'invite people as administrators or moderators',
  inviteOwners: 'invite people as owners, and manage such invitations',
  manageInvitation: 'send an invitation again, or take it back',
  chooseWelcome: 'say how the people one invites are welcomed',
  createBot: 'create a bot',
  createWebhookBot: 'create a bot that can only send messages',
  administerBot: 'change and deactivate a bot, read and renew its API key',
  editUsers: 'change, deactivate and reactivate users',
  editOwners: 'make somebody an owner, change or deactivate one',
  exportWithoutConsent:
    'export what is private of others without their consent, where the organization allows it to anybody',
  editOrganizationForOwners:
    'change how people join the organization, how long messages are kept, who manages groups',
};

/** When each relation holds. */
export const relationTexts: Record<Relation, string> = {
  addedEmoji: 'one added the emoji oneself',
  administersAsMember: 'one is no guest and administers the channel',
  isOneself: 'it is one’s own, or about oneself alone',
  knowsChannel: 'one may know of the channel',
  ownsBot: 'one owns the bot that it is about',
  reachesContent: 'one reads the channel, or could come in without being added',
  readsChannel: 'one reads the channel',
  sentMessage: 'the message is one’s own',
};
