import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted, type Permission } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { avatarFields } from './avatar.ts';
import { toUserRecord } from './record.ts';
import { displayEmailOf, isAdministrator, isGuest, isOwner, roles, type User } from './user.ts';
import { asSeen, maySee, type VisibleUsers } from './visible-users.ts';

interface Circumstances {
  clientGravatar: boolean;
  organization: OrganizationGroups;
  /** Deployment and organization have web-public channels. */
  allowsWebPublic: boolean;
  /** The users visible to the caller; undefined when they see all. */
  visibleUsers: VisibleUsers | undefined;
  /** The client supports incomplete user lists; other clients get placeholders for hidden users. */
  knowsIncompleteLists: boolean;
}

/** The `realm_user` data of register: the users visible to the caller, with roles and permissions. */
export function describeUsers(
  caller: User,
  users: User[],
  { clientGravatar, organization, allowsWebPublic, visibleUsers, knowsIncompleteLists }: Circumstances,
) {
  const records = (those: User[]) =>
    those.map((user) => toUserRecord(user, { viewer: caller, clientGravatar, withProfileData: true }));
  const people = users
    .filter(({ isSystemBot }) => !isSystemBot)
    .filter((user) => !knowsIncompleteLists || maySee(visibleUsers, user))
    .map((user) => asSeen(user, visibleUsers));
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
    can_subscribe_other_users: may({ anyOf: [{ organization: 'can_add_subscribers_group' }] }),
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
