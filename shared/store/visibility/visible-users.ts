import { BadRequest } from '#shared/domain/errors.ts';
import { mailDomainOf, type Organization } from '#shared/domain/organization/organization.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { isSeen, maySee, seesEverybody, type VisibleUsers } from '#shared/domain/users/visible-users.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listSubscriberIds, listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { listConversationSummaries } from '#shared/store/messages/conversations.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser, getUser, listUsersById } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The users visible to the viewer, without bots; undefined when all are. No read for members; for guests one
 * read of the organization, and if their visibility is limited one per channel.
 */
export async function findVisibleUsers(
  table: Table,
  viewer: User,
  readOrganization: () => Promise<Organization> = () => getOrganization(table),
): Promise<VisibleUsers | undefined> {
  if (!isGuest(viewer)) return undefined;
  const organization = await readOrganization();
  if (seesEverybody(viewer, organization.groups)) return undefined;
  const [subscriptions, conversations] = await Promise.all([
    listSubscriptions(table, viewer.userId),
    listConversationSummaries(table, viewer.userId),
  ]);
  const members = await mapConcurrently(subscriptions.filter(isSubscribed), ({ channelId }) =>
    listSubscriberIds(table, channelId),
  );
  return {
    userIds: new Set([viewer.userId, ...members.flat(), ...conversations.flatMap(({ userIds }) => userIds)]),
    domain: mailDomainOf(organization),
  };
}

/** Adds the bots among some users, which ids alone do not identify. */
export async function withBotsAmong(
  table: Table,
  visibleUsers: VisibleUsers | undefined,
  userIds: number[],
): Promise<VisibleUsers | undefined> {
  const others = userIds.filter((userId) => !isSeen(visibleUsers, userId));
  if (!visibleUsers || others.length === 0) return visibleUsers;
  const bots = (await listUsersById(table, others)).filter(({ isBot }) => isBot);
  return {
    ...visibleUsers,
    userIds: new Set([...visibleUsers.userIds, ...bots.map(({ userId }) => userId)]),
  };
}

/** The users among these who are visible to the viewer. */
export async function listSeen(table: Table, viewer: User, users: User[]): Promise<User[]> {
  if (users.every((user) => user.isBot || user.userId === viewer.userId)) return users;
  const visibleUsers = await findVisibleUsers(table, viewer);
  return users.filter((user) => maySee(visibleUsers, user));
}

/**
 * The existing users among these who are visible to the viewer. Unknown and hidden users cost the same reads.
 */
export async function listSeenById(table: Table, viewer: User, userIds: number[]): Promise<User[]> {
  const isAboutOthers = userIds.some((userId) => userId !== viewer.userId);
  const [users, visibleUsers] = await Promise.all([
    listUsersById(table, userIds),
    isAboutOthers ? findVisibleUsers(table, viewer) : undefined,
  ]);
  return users.filter((user) => maySee(visibleUsers, user));
}

/** Unknown and hidden users cost the same reads and get the same error. @throws BadRequest `No such user` */
export async function getSeenUser(table: Table, viewer: User, userId: number): Promise<User> {
  if (userId === viewer.userId) return getUser(table, userId);
  const [user, visibleUsers] = await Promise.all([findUser(table, userId), findVisibleUsers(table, viewer)]);
  if (!user || !maySee(visibleUsers, user)) throw new BadRequest('No such user');
  return user;
}
