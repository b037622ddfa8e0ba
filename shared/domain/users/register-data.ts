import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { displayEmailOf } from './address.ts';
import { avatarFields } from './avatar.ts';
import { toUserRecord } from './record.ts';
import { asSeen, maySee, type Sight } from './sight.ts';
import { isAdministrator, isGuest, isOwner, roles, type User } from './user.ts';

interface Circumstances {
  clientGravatar: boolean;
  organization: OrganizationGroups;
  /** Deployment and organization have web-public channels. */
  allowsWebPublic: boolean;
  /** Whom the caller sees, if not everybody. */
  sight: Sight | undefined;
  /** The client can do without the others; for those that cannot, something stands for each. */
  knowsIncompleteLists: boolean;
}

/** The data that register returns for `realm_user`: everybody whom the caller sees, and what they are and may do. */
export function describeUsers(
  caller: User,
  users: User[],
  { clientGravatar, organization, allowsWebPublic, sight, knowsIncompleteLists }: Circumstances,
) {
  const records = (those: User[]) =>
    those.map((user) => toUserRecord(user, { viewer: caller, clientGravatar, withProfileData: true }));
  const people = users
    .filter(({ isSystemBot }) => !isSystemBot)
    .filter((user) => !knowsIncompleteLists || maySee(sight, user))
    .map((user) => asSeen(user, sight));
  const may = (permission: Permission): boolean => isPermitted(caller, permission, { organization });
  const mayCreatePrivate = may(permissions.createPrivateChannel);
  const mayCreatePublic = may(permissions.createPublicChannel);
  return {
    realm_users: records(people.filter(({ isActive }) => isActive)),
    realm_non_active_users: records(people.filter(({ isActive }) => !isActive)),
    cross_realm_bots: records(users.filter(({ isSystemBot }) => isSystemBot)),
    ...avatarFields(caller, false),
    can_create_private_streams: mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_streams: mayCreatePrivate || mayCreatePublic,
    can_create_web_public_streams: allowsWebPublic && may(permissions.createWebPublicChannel),
    can_invite_others_to_realm: may(permissions.inviteUsers),
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
