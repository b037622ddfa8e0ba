import type { Change, Job } from '#shared/domain/change.ts';
import { peopleTurnWrite, type WhoKnows } from '#shared/domain/channels/who-knows.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { directGroupsOf, type GroupGraph } from '#shared/domain/groups/graph.ts';
import { standingEvents } from '#shared/domain/groups/standing.ts';
import { forgetPresence, readmitPresence } from '#shared/domain/presence/changes.ts';
import { forgetStatus, readmitStatus, type StoredStatus } from '#shared/domain/statuses/status.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Write } from '#shared/table/table.ts';
import { ownerUpdateEvent, userUpdateEvent } from './events.ts';
import { isActiveOwner, stillOwnerCheck } from './role.ts';
import type { Account, User } from './user.ts';
import { userWrites } from './writes.ts';

/** What decides to which groups a user belongs while they are active. */
export interface GroupKnowledge {
  /** The groups that somebody made, with their members. */
  graph: GroupGraph;
  waitingPeriodDays: number;
  /** As it was before the groups were read. */
  whoKnows: WhoKnows;
}

/** Members of groups are active, so whoever goes leaves them all, as far as others see, and comes back to them. */
function activityEvents(
  user: User,
  isActive: boolean,
  { graph, waitingPeriodDays }: GroupKnowledge,
): LogEvent[] {
  const made = [...directGroupsOf(user.userId, graph)].flatMap((id) => graph.groups.get(id) ?? []);
  const after = { ...user, isActive };
  return standingEvents(user.userId, { ...user, isActive: !isActive }, after, { waitingPeriodDays, made });
}

/** Each user takes two writes, and one more where an owner has to stay. */
const USERS_PER_CHANGE = 40;

/** @throws BadRequest for bots, which have an operation of their own, and for those who are deactivated already */
export function requireDeactivable(target: User): void {
  if (target.isBot) throw new BadRequest('No such user');
  if (!target.isActive) throw new BadRequest('User is deactivated');
}

/** The bots that end with their owner. */
export const listActiveBots = (users: User[], { userId }: User): User[] =>
  users.filter((user) => user.isBot && user.isActive && user.botOwnerId === userId);

/**
 * Deactivates users, the last of whom is the one that it is about: their bots come first, so that a deactivated owner
 * never has active ones. Another owner stays, where the user is one. Jobs suspend their subscriptions and revoke the
 * invitations of the last; more jobs, where there are some, come with the last change.
 */
export function deactivationChanges(
  users: User[],
  otherOwner: User | undefined,
  groups: GroupKnowledge,
  invitationIds: number[],
  jobs: Job[] = [],
): Change[] {
  const count = Math.ceil(users.length / USERS_PER_CHANGE);
  const batches = Array.from({ length: count }, (_, n) =>
    users.slice(n * USERS_PER_CHANGE, (n + 1) * USERS_PER_CHANGE),
  );
  return batches.map((batch, n) => {
    const { userId: lastId, isBot } = batch.at(-1) as User;
    // Bots invite no one.
    const isLast = n === count - 1;
    const invites = isLast && !isBot;
    return {
      writes: [
        ...batch.flatMap((user) => userWrites(user, { isActive: false })),
        ...batch.filter(({ isBot }) => !isBot).flatMap(({ userId }) => disappearingWrites(userId)),
        ...(batch.some(isActiveOwner) && otherOwner ? [stillOwnerCheck(otherOwner)] : []),
        peopleTurnWrite({ ...groups.whoKnows, people: groups.whoKnows.people + n }),
      ],
      events: batch.flatMap((user) => [
        userUpdateEvent({ user_id: user.userId, is_active: false }),
        ...activityEvents(user, false, groups),
      ]),
      jobs: [
        alignmentJob(batch),
        ...(invites ? [revocationJob(lastId, invitationIds)] : []),
        ...(isLast ? jobs : []),
      ],
    };
  });
}

/** A deactivated user comes back, with the API key of the next version; a bot whose owner is gone becomes another's. */
export function reactivationChange(
  target: User,
  newOwnerId: number | undefined,
  groups: GroupKnowledge,
  status: StoredStatus,
  nextKey: Pick<Account, 'keyVersion' | 'apiKeyDigest'>,
): Change {
  const { userId, isBot } = target;
  const coming = isBot ? undefined : readmitStatus(status);
  const owner = newOwnerId === undefined ? {} : { botOwnerId: newOwnerId };
  // The key that there was is the one that ends.
  const known = { ...target, keyVersion: nextKey.keyVersion - 1 };
  return {
    writes: [
      ...userWrites(known, { isActive: true, ...owner }, { account: nextKey }),
      peopleTurnWrite(groups.whoKnows),
      ...(coming ? [readmitPresence(userId), ...coming.writes] : []),
    ],
    events: [
      ...(newOwnerId === undefined ? [] : [ownerUpdateEvent(target, newOwnerId)]),
      userUpdateEvent({ user_id: userId, is_active: true }),
      ...activityEvents(target, true, groups),
      ...(coming?.events ?? []),
    ],
    jobs: [alignmentJob([target])],
  };
}

/** Others see nothing any longer of whoever is deactivated. */
const disappearingWrites = (userId: number): Write[] => [forgetPresence(userId), forgetStatus(userId)];

const alignmentJob = (users: User[]): Job => ({
  type: 'align-subscriptions',
  payload: {},
  steps: users.map(({ userId }) => userId),
});

const revocationJob = (userId: number, invitationIds: number[]): Job => ({
  type: 'revoke-invitations',
  payload: { userId, invitationIds },
  steps: [0],
});
