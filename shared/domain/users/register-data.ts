import { isInGroup, systemGroups } from '#shared/domain/groups/group-setting.ts';
import { displayEmailOf } from './address.ts';
import { avatarFields } from './avatar.ts';
import { toUserRecord } from './record.ts';
import { isAdministrator, isGuest, isOwner, roles, type User } from './user.ts';

/** The data that register returns for `realm_user`: everybody, and what the caller is and may do. */
export function describeUsers(caller: User, users: User[], clientGravatar: boolean) {
  const records = (those: User[]) =>
    those.map((user) => toUserRecord(user, { viewer: caller, clientGravatar, withProfileData: true }));
  const people = users.filter(({ isSystemBot }) => !isSystemBot);
  const isMember = isInGroup(caller, systemGroups.members);
  return {
    realm_users: records(people.filter(({ isActive }) => isActive)),
    realm_non_active_users: records(people.filter(({ isActive }) => !isActive)),
    cross_realm_bots: records(users.filter(({ isSystemBot }) => isSystemBot)),
    ...avatarFields(caller, clientGravatar),
    can_create_private_streams: isMember,
    can_create_public_streams: isMember,
    can_create_streams: isMember,
    can_create_web_public_streams: false,
    can_invite_others_to_realm: isMember,
    is_admin: isAdministrator(caller),
    is_owner: isOwner(caller),
    is_moderator: caller.role <= roles.moderator,
    is_guest: isGuest(caller),
    user_id: caller.userId,
    email: displayEmailOf(caller),
    delivery_email: caller.email,
    full_name: caller.fullName,
  };
}
