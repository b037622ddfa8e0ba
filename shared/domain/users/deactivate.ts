import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import { forgetPresence, readmitPresence } from '#shared/domain/presence/changes.ts';
import { directGroupsOf, type GroupGraph } from '#shared/domain/user-groups/graph.ts';
import { standingEvents } from '#shared/domain/user-groups/standing.ts';
import { forgetStatus, readmitStatus, type StoredStatus } from '#shared/domain/user-statuses/status.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Write } from '#shared/table/table.ts';
import { ownerUpdateEvent, userUpdateEvent } from './events.ts';
import { grantSteps, withdrawalJob } from './grants.ts';
import { isActiveOwner, stillOwnerCheck } from './role.ts';
import { endedSessions } from './sessions/session.ts';
import { isAdministrator, type User } from './user.ts';
import { userWrites } from './writes.ts';

/** What decides which groups a user is in while active. */
export interface GroupKnowledge {
  /** The custom groups and their members. */
  graph: GroupGraph;
  waitingPeriodDays: number;
  /** Read before the groups were. */
  visibilityRevision: VisibilityRevision;
}

/**
 * Group members are active, so for others a deactivated user leaves all groups, and joins them again on
 * reactivation.
 */
function activityEvents(
  user: User,
  isActive: boolean,
  { graph, waitingPeriodDays }: GroupKnowledge,
): LogEvent[] {
  const made = [...directGroupsOf(user.userId, graph)].flatMap((id) => graph.groups.get(id) ?? []);
  const after = { ...user, isActive };
  return standingEvents(user.userId, { ...user, isActive: !isActive }, after, { waitingPeriodDays, made });
}

/** Each user takes two writes, plus one when another owner must remain. */
const USERS_PER_CHANGE = 40;

/** @throws BadRequest for bots, which have their own operation, and for deactivated users */
export function requireDeactivable(target: User): void {
  if (target.isBot) throw new BadRequest('No such user');
  if (!target.isActive) throw new BadRequest('User is deactivated');
}

/**
 * Deactivates users. The target is the last one; their bots come first, so that a deactivated owner never has
 * active bots. If the target is an owner, another one must remain. Jobs suspend subscriptions and revoke the
 * target's invitations; additional jobs come with the last change.
 */
export function deactivationChanges(
  users: User[],
  otherOwner: User | undefined,
  groups: GroupKnowledge,
  invitationIds: number[],
  jobs: Job[] = [],
): Change[] {
  const batches = chunksOf(users, USERS_PER_CHANGE);
  return batches.map((batch, n) => {
    const { userId: lastId, isBot } = batch.at(-1) as User;
    // Bots do not invite people.
    const isLast = n === batches.length - 1;
    const invites = isLast && !isBot;
    return {
      writes: [
        ...batch.flatMap((user) => userWrites(user, { isActive: false })),
        ...batch.filter(({ isBot }) => !isBot).flatMap(({ userId }) => disappearingWrites(userId)),
        ...(batch.some(isActiveOwner) && otherOwner ? [stillOwnerCheck(otherOwner)] : []),
        peopleTurnWrite({ ...groups.visibilityRevision, people: groups.visibilityRevision.people + n }),
      ],
      events: batch.flatMap((user) => [
        userUpdateEvent({ user_id: user.userId, is_active: false }),
        ...activityEvents(user, false, groups),
      ]),
      jobs: [
        alignmentJob(batch),
        ...(invites ? [revocationJob(lastId, invitationIds)] : []),
        ...batch.filter(isAdministrator).map((user) => withdrawalJob(user, [grantSteps.exports])),
        ...(isLast ? jobs : []),
      ],
    };
  });
}

/**
 * Reactivates a user. The API key and the tokens of before are valid again; the sessions of browsers end, so a person
 * signs in. A bot whose owner is deactivated gets a new owner.
 */
export function reactivationChange(
  target: User,
  newOwnerId: number | undefined,
  groups: GroupKnowledge,
  status: StoredStatus,
): Change {
  const { userId, isBot } = target;
  const coming = isBot ? undefined : readmitStatus(status);
  const owner = newOwnerId === undefined ? {} : { botOwnerId: newOwnerId };
  return {
    writes: [
      ...userWrites(target, { isActive: true, ...owner }, { account: endedSessions }),
      peopleTurnWrite(groups.visibilityRevision),
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

/** Hides everything that others saw of a deactivated user. */
const disappearingWrites = (userId: number): Write[] => [forgetPresence(userId), forgetStatus(userId)];

const alignmentJob = (users: User[]): Job => ({
  type: 'align-subscriptions',
  payload: {},
  steps: users.map(({ userId }) => userId),
});

const revocationJob = (userId: number, invitationIds: number[]): Job => ({
  type: 'revoke-invitations',
  payload: { userId, invitationIds },
  steps: ONE_STEP,
});
