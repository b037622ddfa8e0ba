import { BadRequest } from '#shared/domain/errors.ts';
import { mailDomainOf, type Organization } from '#shared/domain/organization/organization.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { isSeen, maySee, type Sight, seesEverybody } from '#shared/domain/users/sight.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Table } from '#shared/table/table.ts';
import { listConversationHeads } from './conversations.ts';
import { getOrganization } from './organization.ts';
import { listSubscriberIds, listSubscriptions } from './subscriptions.ts';
import { findUser, getUser, listUsersById } from './users.ts';

/**
 * Whom the viewer sees, bots left out; nothing where they see everybody. Members cost no read, and guests that of the
 * organization; where guests see only some, also one for each channel of theirs.
 */
export async function findSight(
  table: Table,
  viewer: User,
  readOrganization: () => Promise<Organization> = () => getOrganization(table),
): Promise<Sight | undefined> {
  if (!isGuest(viewer)) return undefined;
  const organization = await readOrganization();
  if (seesEverybody(viewer, organization.groups)) return undefined;
  const [subscriptions, conversations] = await Promise.all([
    listSubscriptions(table, viewer.userId),
    listConversationHeads(table, viewer.userId),
  ]);
  const members = await mapConcurrently(subscriptions.filter(isSubscribed), ({ channelId }) =>
    listSubscriberIds(table, channelId),
  );
  return {
    userIds: new Set([viewer.userId, ...members.flat(), ...conversations.flatMap(({ userIds }) => userIds)]),
    domain: mailDomainOf(organization),
  };
}

/** The sight with the bots among some users, by whose ids alone one cannot tell. */
export async function withBotsAmong(
  table: Table,
  sight: Sight | undefined,
  userIds: number[],
): Promise<Sight | undefined> {
  const others = userIds.filter((userId) => !isSeen(sight, userId));
  if (!sight || others.length === 0) return sight;
  const bots = (await listUsersById(table, others)).filter(({ isBot }) => isBot);
  return { ...sight, userIds: new Set([...sight.userIds, ...bots.map(({ userId }) => userId)]) };
}

/** Those of the users whom the viewer sees. */
export async function listSeen(table: Table, viewer: User, users: User[]): Promise<User[]> {
  if (users.every((user) => user.isBot || user.userId === viewer.userId)) return users;
  const sight = await findSight(table, viewer);
  return users.filter((user) => maySee(sight, user));
}

/** Those of the named users who exist and are seen by the viewer. Reads the same for who does not exist and who is not seen. */
export async function listSeenById(table: Table, viewer: User, userIds: number[]): Promise<User[]> {
  const isAboutOthers = userIds.some((userId) => userId !== viewer.userId);
  const [users, sight] = await Promise.all([
    listUsersById(table, userIds),
    isAboutOthers ? findSight(table, viewer) : undefined,
  ]);
  return users.filter((user) => maySee(sight, user));
}

/**
 * Reads the same for a user who does not exist and for one that the viewer does not see, and says the same.
 * @throws BadRequest `No such user`
 */
export async function getSeenUser(table: Table, viewer: User, userId: number): Promise<User> {
  if (userId === viewer.userId) return getUser(table, userId);
  const [user, sight] = await Promise.all([findUser(table, userId), findSight(table, viewer)]);
  if (!user || !maySee(sight, user)) throw new BadRequest('No such user');
  return user;
}
