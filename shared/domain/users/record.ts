import { toProfileRecord } from '#shared/domain/profile/record.ts';
import { avatarFields } from './avatar.ts';
import {
  botTypes,
  deliveryEmailFor,
  displayEmailOf,
  isAdministrator,
  isGuest,
  isOwner,
  type User,
} from './user.ts';

export interface UserRecordStyle {
  /** The recipient of the record. */
  viewer: User;
  /** The client computes Gravatar addresses itself. */
  clientGravatar: boolean;
  withProfileData: boolean;
}

/** The user record of the protocol. */
export function toUserRecord(user: User, style: UserRecordStyle) {
  return {
    user_id: user.userId,
    email: displayEmailOf(user),
    delivery_email: deliveryEmailFor(style.viewer, user),
    full_name: user.fullName,
    date_joined: new Date(user.createdAtSeconds * 1000).toISOString().replace(/:\d\d\.\d{3}Z$/, '+00:00'),
    is_active: user.isActive,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_guest: isGuest(user),
    is_bot: user.isBot,
    is_imported_stub: false,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarFields(user, style.clientGravatar).avatar_url,
    avatar_version: user.avatarVersion,
    ...(user.isBot && { bot_type: user.bot?.type ?? botTypes.generic, bot_owner_id: user.botOwnerId }),
    ...(user.bot?.commands && { bot_commands: user.bot.commands }),
    ...(user.isSystemBot && { is_system_bot: true }),
    ...(style.withProfileData && !user.isBot && { profile_data: toProfileRecord(user.profileData) }),
  };
}
