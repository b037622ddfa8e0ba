import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { addAlertWords } from './alert-words/add-alert-words.ts';
import { listAlertWords } from './alert-words/list-alert-words.ts';
import { removeAlertWords } from './alert-words/remove-alert-words.ts';
import { deleteOwnAvatar } from './avatars/delete-own-avatar.ts';
import { getAvatar } from './avatars/get-avatar.ts';
import { getMediumAvatar } from './avatars/get-medium-avatar.ts';
import { uploadOwnAvatar } from './avatars/upload-own-avatar.ts';
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
import { deactivateCustomEmoji } from './emoji/deactivate-custom-emoji.ts';
import { getEmojiNames } from './emoji/get-emoji-names.ts';
import { listCustomEmoji } from './emoji/list-custom-emoji.ts';
import { uploadCustomEmoji } from './emoji/upload-custom-emoji.ts';
import { deleteQueue } from './events/delete-queue.ts';
import { getEvents } from './events/get-events.ts';
import { registerQueue } from './events/register-queue.ts';
import { createExport } from './exports/create-export.ts';
import { deleteExport } from './exports/delete-export.ts';
import { downloadExport } from './exports/download-export.ts';
import { listExportConsents } from './exports/list-export-consents.ts';
import { listExports } from './exports/list-exports.ts';
import { createInvitationLink } from './invitations/create-invitation-link.ts';
import { createInvitations } from './invitations/create-invitations.ts';
import { listInvitations } from './invitations/list-invitations.ts';
import { resendInvitation } from './invitations/resend-invitation.ts';
import { revokeInvitation } from './invitations/revoke-invitation.ts';
import { revokeInvitationLink } from './invitations/revoke-invitation-link.ts';
import { confirmAddress } from './joining/confirm-address.ts';
import { getInvitation } from './joining/get-invitation.ts';
import { joinOrganization } from './joining/join-organization.ts';
import { showJoinPage } from './joining/show-join-page.ts';
import { createLinkifier } from './linkifiers/create-linkifier.ts';
import { deleteLinkifier } from './linkifiers/delete-linkifier.ts';
import { editLinkifier } from './linkifiers/edit-linkifier.ts';
import { listLinkifiers } from './linkifiers/list-linkifiers.ts';
import { reorderLinkifiers } from './linkifiers/reorder-linkifiers.ts';
import { addReaction } from './messages/add-reaction.ts';
import { getMessage } from './messages/get-message.ts';
import { listMessages } from './messages/list-messages.ts';
import { markAllAsRead } from './messages/mark-all-as-read.ts';
import { markChannelAsRead } from './messages/mark-channel-as-read.ts';
import { markTopicAsRead } from './messages/mark-topic-as-read.ts';
import { matchNarrow } from './messages/match-narrow.ts';
import { removeReaction } from './messages/remove-reaction.ts';
import { reportMessage } from './messages/report-message.ts';
import { sendMessage } from './messages/send-message.ts';
import { updateMessageFlags } from './messages/update-message-flags.ts';
import { updateMessageFlagsForNarrow } from './messages/update-message-flags-for-narrow.ts';
import { createNavigationView } from './navigation-views/create-navigation-view.ts';
import { deleteNavigationView } from './navigation-views/delete-navigation-view.ts';
import { editNavigationView } from './navigation-views/edit-navigation-view.ts';
import { listNavigationViews } from './navigation-views/list-navigation-views.ts';
import { createDomain } from './organization/create-domain.ts';
import { deleteDomain } from './organization/delete-domain.ts';
import { deleteOrganizationIcon } from './organization/delete-organization-icon.ts';
import { deleteOrganizationLogo } from './organization/delete-organization-logo.ts';
import { editDomain } from './organization/edit-domain.ts';
import { editOrganization } from './organization/edit-organization.ts';
import { editUserDefaults } from './organization/edit-user-defaults.ts';
import { getOrganizationIcon } from './organization/get-organization-icon.ts';
import { getOrganizationLogo } from './organization/get-organization-logo.ts';
import { listDomains } from './organization/list-domains.ts';
import { uploadOrganizationIcon } from './organization/upload-organization-icon.ts';
import { uploadOrganizationLogo } from './organization/upload-organization-logo.ts';
import { getPicture } from './pictures/get-picture.ts';
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
import { addApnsToken } from './push/add-apns-token.ts';
import { addFcmToken } from './push/add-fcm-token.ts';
import { registerClientDevice } from './push/register-client-device.ts';
import { registerPushDevice } from './push/register-push-device.ts';
import { removeApnsToken } from './push/remove-apns-token.ts';
import { removeClientDevice } from './push/remove-client-device.ts';
import { removeFcmToken } from './push/remove-fcm-token.ts';
import { sendTestNotification } from './push/send-test-notification.ts';
import { createReminder } from './reminders/create-reminder.ts';
import { deleteReminder } from './reminders/delete-reminder.ts';
import { listReminders } from './reminders/list-reminders.ts';
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
import { setEditTyping } from './typing/set-edit-typing.ts';
import { setTyping } from './typing/set-typing.ts';
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
  addApnsToken,
  getAvatar,
  getMediumAvatar,
  uploadOwnAvatar,
  deleteOwnAvatar,
  deleteOrganizationIcon,
  deleteOrganizationLogo,
  getOrganizationIcon,
  getOrganizationLogo,
  uploadOrganizationIcon,
  uploadOrganizationLogo,
  deactivateCustomEmoji,
  getPicture,
  listCustomEmoji,
  uploadCustomEmoji,
  addDefaultChannel,
  addFcmToken,
  archiveChannel,
  clearOwnProfile,
  confirmAddress,
  createBot,
  createChannel,
  createChannelFolder,
  createDomain,
  createExport,
  createLinkifier,
  createPlayground,
  createInvitationLink,
  createInvitations,
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
  deleteExport,
  downloadExport,
  listExportConsents,
  listExports,
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
  getEmojiNames,
  getEvents,
  getInvitation,
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
  joinOrganization,
  showJoinPage,
  listChannelFolders,
  listChannelMembers,
  listChannels,
  listChannelsOfUser,
  listDomains,
  listLinkifiers,
  listInvitations,
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
  registerClientDevice,
  registerPushDevice,
  registerQueue,
  removeApnsToken,
  removeClientDevice,
  removeDefaultChannel,
  removeFcmToken,
  reorderChannelFolders,
  reorderLinkifiers,
  reorderProfileFields,
  addReaction,
  removeReaction,
  reportMessage,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendMessage,
  sendTestNotification,
  setOwnStatus,
  setTopicPolicy,
  setUserStatus,
  setEditTyping,
  createReminder,
  deleteReminder,
  listReminders,
  setTyping,
  subscribe,
  unmuteUser,
  unsubscribe,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
  updateMutedTopic,
  updatePresence,
} satisfies Record<string, AnyEndpoint>;
