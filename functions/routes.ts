import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { addAlertWords } from './alert-words/add-alert-words.ts';
import { listAlertWords } from './alert-words/list-alert-words.ts';
import { removeAlertWords } from './alert-words/remove-alert-words.ts';
import { createBot } from './bots/create-bot.ts';
import { deactivateBot } from './bots/deactivate-bot.ts';
import { editBot } from './bots/edit-bot.ts';
import { getBotApiKey } from './bots/get-bot-api-key.ts';
import { listBots } from './bots/list-bots.ts';
import { regenerateBotApiKey } from './bots/regenerate-bot-api-key.ts';
import { createChannelFolder } from './channel-folders/create-channel-folder.ts';
import { editChannelFolder } from './channel-folders/edit-channel-folder.ts';
import { listChannelFolders } from './channel-folders/list-channel-folders.ts';
import { reorderChannelFolders } from './channel-folders/reorder-channel-folders.ts';
import { addDefaultChannel } from './channels/add-default-channel.ts';
import { archiveChannel } from './channels/archive-channel.ts';
import { createChannel } from './channels/create-channel.ts';
import { editChannel } from './channels/edit-channel.ts';
import { editSubscriptionProperties } from './channels/edit-subscription-properties.ts';
import { editSubscriptions } from './channels/edit-subscriptions.ts';
import { getChannel } from './channels/get-channel.ts';
import { getChannelId } from './channels/get-channel-id.ts';
import { getSubscriptionStatus } from './channels/get-subscription-status.ts';
import { listChannelMembers } from './channels/list-channel-members.ts';
import { listChannels } from './channels/list-channels.ts';
import { listChannelsOfUser } from './channels/list-channels-of-user.ts';
import { listSubscriptions } from './channels/list-subscriptions.ts';
import { listTopics } from './channels/list-topics.ts';
import { removeDefaultChannel } from './channels/remove-default-channel.ts';
import { subscribe } from './channels/subscribe.ts';
import { unsubscribe } from './channels/unsubscribe.ts';
import { createDrafts } from './drafts/create-drafts.ts';
import { deleteDraft } from './drafts/delete-draft.ts';
import { editDraft } from './drafts/edit-draft.ts';
import { listDrafts } from './drafts/list-drafts.ts';
import { deleteQueue } from './events/delete-queue.ts';
import { getEvents } from './events/get-events.ts';
import { registerQueue } from './events/register-queue.ts';
import { createLinkifier } from './linkifiers/create-linkifier.ts';
import { deleteLinkifier } from './linkifiers/delete-linkifier.ts';
import { editLinkifier } from './linkifiers/edit-linkifier.ts';
import { listLinkifiers } from './linkifiers/list-linkifiers.ts';
import { reorderLinkifiers } from './linkifiers/reorder-linkifiers.ts';
import { getMessage } from './messages/get-message.ts';
import { listMessages } from './messages/list-messages.ts';
import { markAllAsRead } from './messages/mark-all-as-read.ts';
import { markChannelAsRead } from './messages/mark-channel-as-read.ts';
import { markTopicAsRead } from './messages/mark-topic-as-read.ts';
import { matchNarrow } from './messages/match-narrow.ts';
import { sendMessage } from './messages/send-message.ts';
import { updateMessageFlags } from './messages/update-message-flags.ts';
import { updateMessageFlagsForNarrow } from './messages/update-message-flags-for-narrow.ts';
import { createNavigationView } from './navigation-views/create-navigation-view.ts';
import { deleteNavigationView } from './navigation-views/delete-navigation-view.ts';
import { editNavigationView } from './navigation-views/edit-navigation-view.ts';
import { listNavigationViews } from './navigation-views/list-navigation-views.ts';
import { createDomain } from './organization/create-domain.ts';
import { deleteDomain } from './organization/delete-domain.ts';
import { editDomain } from './organization/edit-domain.ts';
import { editOrganization } from './organization/edit-organization.ts';
import { editUserDefaults } from './organization/edit-user-defaults.ts';
import { listDomains } from './organization/list-domains.ts';
import { createPlayground } from './playgrounds/create-playground.ts';
import { deletePlayground } from './playgrounds/delete-playground.ts';
import { getPresence } from './presence/get-presence.ts';
import { listPresences } from './presence/list-presences.ts';
import { updatePresence } from './presence/update-presence.ts';
import { clearOwnProfile } from './profile/clear-own-profile.ts';
import { createProfileField } from './profile/create-profile-field.ts';
import { deleteProfileField } from './profile/delete-profile-field.ts';
import { editOwnProfile } from './profile/edit-own-profile.ts';
import { editProfileField } from './profile/edit-profile-field.ts';
import { listProfileFields } from './profile/list-profile-fields.ts';
import { reorderProfileFields } from './profile/reorder-profile-fields.ts';
import { createSavedSnippet } from './saved-snippets/create-saved-snippet.ts';
import { deleteSavedSnippet } from './saved-snippets/delete-saved-snippet.ts';
import { editSavedSnippet } from './saved-snippets/edit-saved-snippet.ts';
import { listSavedSnippets } from './saved-snippets/list-saved-snippets.ts';
import { createScheduledMessage } from './scheduled-messages/create-scheduled-message.ts';
import { deleteScheduledMessage } from './scheduled-messages/delete-scheduled-message.ts';
import { editScheduledMessage } from './scheduled-messages/edit-scheduled-message.ts';
import { listScheduledMessages } from './scheduled-messages/list-scheduled-messages.ts';
import { getApiDocument } from './server/get-api-document.ts';
import { getServerSettings } from './server/get-server-settings.ts';
import { editSettings } from './settings/edit-settings.ts';
import { setTopicPolicy } from './topics/set-topic-policy.ts';
import { updateMutedTopic } from './topics/update-muted-topic.ts';
import { createUserGroup } from './user-groups/create-user-group.ts';
import { deactivateUserGroup } from './user-groups/deactivate-user-group.ts';
import { editUserGroup } from './user-groups/edit-user-group.ts';
import { editUserGroupMembers } from './user-groups/edit-user-group-members.ts';
import { editUserGroupSubgroups } from './user-groups/edit-user-group-subgroups.ts';
import { getUserGroupMembership } from './user-groups/get-user-group-membership.ts';
import { listUserGroupMembers } from './user-groups/list-user-group-members.ts';
import { listUserGroupSubgroups } from './user-groups/list-user-group-subgroups.ts';
import { listUserGroups } from './user-groups/list-user-groups.ts';
import { getUserStatus } from './user-statuses/get-user-status.ts';
import { setOwnStatus } from './user-statuses/set-own-status.ts';
import { setUserStatus } from './user-statuses/set-user-status.ts';
import { createUser } from './users/create-user.ts';
import { deactivateOwnUser } from './users/deactivate-own-user.ts';
import { deactivateUser } from './users/deactivate-user.ts';
import { editUser } from './users/edit-user.ts';
import { fetchApiKey } from './users/fetch-api-key.ts';
import { getOwnUser } from './users/get-own-user.ts';
import { getUser } from './users/get-user.ts';
import { listUsers } from './users/list-users.ts';
import { muteUser } from './users/mute-user.ts';
import { reactivateUser } from './users/reactivate-user.ts';
import { regenerateApiKey } from './users/regenerate-api-key.ts';
import { unmuteUser } from './users/unmute-user.ts';

/**
 * The registry: every operation by its name. Infrastructure, the local service, the API document and the tests
 * are made from it. The name of an entry is the name of its file, of its Lambda function and of its tests.
 */
export const endpoints = {
  addAlertWords,
  listAlertWords,
  removeAlertWords,
  addDefaultChannel,
  archiveChannel,
  clearOwnProfile,
  createBot,
  createChannel,
  createChannelFolder,
  createDomain,
  createLinkifier,
  createPlayground,
  createDrafts,
  createNavigationView,
  createProfileField,
  createSavedSnippet,
  createScheduledMessage,
  createUser,
  createUserGroup,
  deactivateBot,
  deactivateOwnUser,
  deactivateUser,
  deactivateUserGroup,
  deleteDomain,
  deleteLinkifier,
  deletePlayground,
  deleteDraft,
  deleteNavigationView,
  deleteProfileField,
  deleteQueue,
  deleteSavedSnippet,
  deleteScheduledMessage,
  editBot,
  editChannel,
  editChannelFolder,
  editDomain,
  editLinkifier,
  editDraft,
  editNavigationView,
  editOrganization,
  editOwnProfile,
  editProfileField,
  editSavedSnippet,
  editScheduledMessage,
  editSettings,
  editSubscriptionProperties,
  editSubscriptions,
  editUser,
  editUserDefaults,
  editUserGroup,
  editUserGroupMembers,
  editUserGroupSubgroups,
  fetchApiKey,
  getBotApiKey,
  getChannel,
  getChannelId,
  getEvents,
  getMessage,
  getOwnUser,
  getPresence,
  getApiDocument,
  getServerSettings,
  getSubscriptionStatus,
  getUser,
  getUserGroupMembership,
  getUserStatus,
  listBots,
  listChannelFolders,
  listChannelMembers,
  listChannels,
  listChannelsOfUser,
  listDomains,
  listLinkifiers,
  listDrafts,
  listMessages,
  listNavigationViews,
  listPresences,
  listProfileFields,
  listSavedSnippets,
  listScheduledMessages,
  listSubscriptions,
  listTopics,
  listUserGroupMembers,
  listUserGroupSubgroups,
  listUserGroups,
  listUsers,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  matchNarrow,
  muteUser,
  reactivateUser,
  regenerateApiKey,
  regenerateBotApiKey,
  registerQueue,
  removeDefaultChannel,
  reorderChannelFolders,
  reorderLinkifiers,
  reorderProfileFields,
  sendMessage,
  setOwnStatus,
  setTopicPolicy,
  setUserStatus,
  subscribe,
  unmuteUser,
  unsubscribe,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
  updateMutedTopic,
  updatePresence,
} satisfies Record<string, AnyEndpoint>;
