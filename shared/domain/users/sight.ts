import type { Message } from '#shared/domain/messages/message.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { dummyEmailOf } from './address.ts';
import { withIdentities } from './identity.ts';
import { emailVisibilities, isGuest, roles, type User } from './user.ts';

/** Whom somebody sees who does not see everybody. Where there is none, everybody is seen. */
export interface Sight {
  /** Themselves, whoever shares a channel or a conversation with them, and those among others who are bots. */
  userIds: ReadonlySet<number>;
  /** The domain of the addresses that stand for everybody else. */
  domain: string;
}

/** Whether the user sees everybody. Whoever looks on without an account counts as a guest. */
export const seesEverybody = (viewer: User, organization: OrganizationGroups): boolean =>
  isPermitted(isGuest(viewer) ? { ...viewer, role: roles.guest } : viewer, permissions.seeEverybody, {
    organization,
  });

/** The one answer to "may this user be shown"; whatever shows people asks it. Bots are for everybody. */
export const maySee = (
  sight: Sight | undefined,
  { userId, isBot }: Pick<User, 'userId' | 'isBot'>,
): boolean => isBot || isSeen(sight, userId);

/** The same where the bots among those in question have been added to the sight. */
export const isSeen = (sight: Sight | undefined, userId: number): boolean =>
  sight === undefined || sight.userIds.has(userId);

/** What stands for a user who is not shown: it tells nothing but that there is somebody with this id. */
export const placeholderOf = (userId: number, { domain }: Sight): User => ({
  userId,
  email: '',
  emailVisibility: emailVisibilities.nobody,
  dummyEmail: dummyEmailOf(userId, domain),
  fullName: 'Unknown user',
  role: roles.member,
  isActive: true,
  isBot: false,
  isSystemBot: false,
  botOwnerId: null,
  createdAtSeconds: 0,
  avatarVersion: 1,
  timezone: '',
});

/** The user, or what stands for them. */
export const asSeen = (user: User, sight: Sight | undefined): User =>
  sight && !maySee(sight, user) ? placeholderOf(user.userId, sight) : user;

/**
 * The message without the names and addresses of those who are not shown. Bots must be in the sight. Whoever may read a
 * direct message shares a conversation with all of its people.
 */
export function asShownTo<One extends Message>(message: One, sight: Sight | undefined): One {
  if (!sight || message.kind === 'direct' || isSeen(sight, message.senderId)) return message;
  const { dummyEmail = '', fullName, avatarVersion } = placeholderOf(message.senderId, sight);
  return withIdentities(
    message,
    new Map([[message.senderId, { email: dummyEmail, fullName, avatarVersion }]]),
  );
}
