import type { Message } from '#shared/domain/messages/message.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { withIdentities } from './identity.ts';
import { dummyEmailOf, emailVisibilities, isGuest, roles, type User } from './user.ts';

/**
 * The users visible to a viewer who does not see all. Undefined instead of this means that all are visible.
 */
export interface VisibleUsers {
  /**
   * The viewer, users who share a channel or conversation with them, and all bots among those in question.
   */
  userIds: ReadonlySet<number>;
  /** The domain of the placeholder addresses of hidden users. */
  domain: string;
}

/** Whether the viewer sees all users. Anonymous callers count as guests. */
export const seesEverybody = (viewer: User, organization: OrganizationGroups): boolean =>
  isPermitted(isGuest(viewer) ? { ...viewer, role: roles.guest } : viewer, permissions.seeEverybody, {
    organization,
  });

/**
 * The single rule for "may this user be shown"; everything that shows users uses it. Bots are visible to all.
 */
export const maySee = (
  visibleUsers: VisibleUsers | undefined,
  { userId, isBot }: Pick<User, 'userId' | 'isBot'>,
): boolean => isBot || isSeen(visibleUsers, userId);

/** The same when bots have been added to the visible users. */
export const isSeen = (visibleUsers: VisibleUsers | undefined, userId: number): boolean =>
  visibleUsers === undefined || visibleUsers.userIds.has(userId);

/** The name of hidden users. */
export const HIDDEN_NAME = 'Unknown user';

/** The placeholder for a hidden user; it reveals only that the id exists. */
export const placeholderOf = (userId: number, { domain }: VisibleUsers): User => ({
  userId,
  email: '',
  emailVisibility: emailVisibilities.nobody,
  dummyEmail: dummyEmailOf(userId, domain),
  fullName: HIDDEN_NAME,
  role: roles.member,
  isActive: true,
  isBot: false,
  isSystemBot: false,
  botOwnerId: null,
  createdAtSeconds: 0,
  avatarVersion: 1,
  timezone: '',
});

/** The user or their placeholder. */
export const asSeen = (user: User, visibleUsers: VisibleUsers | undefined): User =>
  visibleUsers && !maySee(visibleUsers, user) ? placeholderOf(user.userId, visibleUsers) : user;

/**
 * The message without the names and addresses of hidden users. Bots must have been added to the visible
 * users. All participants of a direct conversation are visible to each other.
 */
export function asShownTo<One extends Message>(message: One, visibleUsers: VisibleUsers | undefined): One {
  if (!visibleUsers || message.kind === 'direct' || isSeen(visibleUsers, message.senderId)) return message;
  const { dummyEmail = '', fullName, avatarVersion } = placeholderOf(message.senderId, visibleUsers);
  return withIdentities(
    message,
    new Map([[message.senderId, { email: dummyEmail, fullName, avatarVersion }]]),
  );
}
