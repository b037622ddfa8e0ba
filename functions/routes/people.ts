import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { deleteOwnAvatar } from '../avatars/delete-own-avatar.ts';
import { getAvatar } from '../avatars/get-avatar.ts';
import { getMediumAvatar } from '../avatars/get-medium-avatar.ts';
import { uploadOwnAvatar } from '../avatars/upload-own-avatar.ts';
import { createBot } from '../bots/create-bot.ts';
import { deactivateBot } from '../bots/deactivate-bot.ts';
import { deleteBotStorage } from '../bots/delete-bot-storage.ts';
import { editBot } from '../bots/edit-bot.ts';
import { getBotApiKey } from '../bots/get-bot-api-key.ts';
import { getBotStorage } from '../bots/get-bot-storage.ts';
import { listBots } from '../bots/list-bots.ts';
import { regenerateBotApiKey } from '../bots/regenerate-bot-api-key.ts';
import { updateBotStorage } from '../bots/update-bot-storage.ts';
import { createInvitationLink } from '../invitations/create-invitation-link.ts';
import { createInvitations } from '../invitations/create-invitations.ts';
import { listInvitations } from '../invitations/list-invitations.ts';
import { resendInvitation } from '../invitations/resend-invitation.ts';
import { revokeInvitation } from '../invitations/revoke-invitation.ts';
import { revokeInvitationLink } from '../invitations/revoke-invitation-link.ts';
import { confirmAddress } from '../joining/confirm-address.ts';
import { getInvitation } from '../joining/get-invitation.ts';
import { joinOrganization } from '../joining/join-organization.ts';
import { getPresence } from '../presence/get-presence.ts';
import { listPresences } from '../presence/list-presences.ts';
import { updatePresence } from '../presence/update-presence.ts';
import { clearOwnProfile } from '../profile/clear-own-profile.ts';
import { createProfileField } from '../profile/create-profile-field.ts';
import { deleteProfileField } from '../profile/delete-profile-field.ts';
import { editOwnProfile } from '../profile/edit-own-profile.ts';
import { editProfileField } from '../profile/edit-profile-field.ts';
import { listProfileFields } from '../profile/list-profile-fields.ts';
import { reorderProfileFields } from '../profile/reorder-profile-fields.ts';
import { askForPasswordReset } from '../sessions/ask-for-password-reset.ts';
import { resetPassword } from '../sessions/reset-password.ts';
import { signIn } from '../sessions/sign-in.ts';
import { signOut } from '../sessions/sign-out.ts';
import { confirmNewAddress } from '../settings/confirm-new-address.ts';
import { editDisplaySettings } from '../settings/edit-display-settings.ts';
import { editNotificationSettings } from '../settings/edit-notification-settings.ts';
import { editSettings } from '../settings/edit-settings.ts';
import { markOnboardingStep } from '../settings/mark-onboarding-step.ts';
import { runZcommand } from '../settings/run-zcommand.ts';
import { createUserGroup } from '../user-groups/create-user-group.ts';
import { deactivateUserGroup } from '../user-groups/deactivate-user-group.ts';
import { editUserGroup } from '../user-groups/edit-user-group.ts';
import { editUserGroupMembers } from '../user-groups/edit-user-group-members.ts';
import { editUserGroupSubgroups } from '../user-groups/edit-user-group-subgroups.ts';
import { getUserGroupMembership } from '../user-groups/get-user-group-membership.ts';
import { listUserGroupMembers } from '../user-groups/list-user-group-members.ts';
import { listUserGroupSubgroups } from '../user-groups/list-user-group-subgroups.ts';
import { listUserGroups } from '../user-groups/list-user-groups.ts';
import { getUserStatus } from '../user-statuses/get-user-status.ts';
import { setOwnStatus } from '../user-statuses/set-own-status.ts';
import { setUserStatus } from '../user-statuses/set-user-status.ts';
import { createUser } from '../users/create-user.ts';
import { deactivateOwnUser } from '../users/deactivate-own-user.ts';
import { deactivateUser } from '../users/deactivate-user.ts';
import { editUser } from '../users/edit-user.ts';
import { fetchApiKey } from '../users/fetch-api-key.ts';
import { fetchApiKeyByJwt } from '../users/fetch-api-key-by-jwt.ts';
import { getOwnUser } from '../users/get-own-user.ts';
import { getUser } from '../users/get-user.ts';
import { listUsers } from '../users/list-users.ts';
import { muteUser } from '../users/mute-user.ts';
import { reactivateUser } from '../users/reactivate-user.ts';
import { regenerateApiKey } from '../users/regenerate-api-key.ts';
import { unmuteUser } from '../users/unmute-user.ts';

/** People: accounts, groups, profiles, presence, and joining. */
export const peopleRoutes = {
  askForPasswordReset,
  clearOwnProfile,
  confirmAddress,
  confirmNewAddress,
  createBot,
  createInvitationLink,
  createInvitations,
  createProfileField,
  createUser,
  createUserGroup,
  deactivateBot,
  deactivateOwnUser,
  deactivateUser,
  deactivateUserGroup,
  deleteBotStorage,
  deleteOwnAvatar,
  deleteProfileField,
  editBot,
  editOwnProfile,
  editProfileField,
  editDisplaySettings,
  editNotificationSettings,
  editSettings,
  editUser,
  editUserGroup,
  editUserGroupMembers,
  editUserGroupSubgroups,
  fetchApiKey,
  fetchApiKeyByJwt,
  getAvatar,
  getBotApiKey,
  getBotStorage,
  getInvitation,
  getMediumAvatar,
  getOwnUser,
  getPresence,
  getUser,
  getUserGroupMembership,
  getUserStatus,
  joinOrganization,
  listBots,
  listInvitations,
  listPresences,
  listProfileFields,
  listUserGroupMembers,
  listUserGroupSubgroups,
  listUserGroups,
  listUsers,
  markOnboardingStep,
  muteUser,
  reactivateUser,
  regenerateApiKey,
  regenerateBotApiKey,
  reorderProfileFields,
  resendInvitation,
  resetPassword,
  revokeInvitation,
  revokeInvitationLink,
  runZcommand,
  setOwnStatus,
  setUserStatus,
  signIn,
  signOut,
  unmuteUser,
  updateBotStorage,
  updatePresence,
  uploadOwnAvatar,
} satisfies Record<string, AnyEndpoint>;
