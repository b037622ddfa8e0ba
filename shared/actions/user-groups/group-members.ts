import { findKnowledgeEvents } from '#shared/actions/channels/channel-visibility.ts';
import type { Change } from '#shared/domain/change.ts';
import type { Job } from '#shared/domain/jobs.ts';
import type { GroupGraph } from '#shared/domain/user-groups/graph.ts';
import type { Group } from '#shared/domain/user-groups/group.ts';
import { requireFeasible } from '#shared/domain/user-groups/limits.ts';
import { checkRequest, membershipChange, withSubgroups } from '#shared/domain/user-groups/members.ts';
import {
  type MembershipRequest,
  requireMayChangeMembers,
  settingsThatDecide,
} from '#shared/domain/user-groups/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listDirectMemberIds } from '#shared/store/user-groups/group-graph.ts';
import {
  getMadeGroup,
  learnMemberships,
  listGroupsById,
  listNamed,
  loadBelow,
} from '#shared/store/user-groups/groups.ts';
import { listUsersAmong } from '#shared/store/users/users.ts';
import { readGroupsSeen } from '#shared/store/visibility/groups-seen.ts';

/** The notification bot notifies at most this many people that they were added. */
const MAX_NOTIFIED = 100;

/** Adds users and groups to a group and removes others; all or none. @throws BadRequest without any effect */
export async function changeGroupMembers(
  services: Services,
  caller: User,
  groupId: number,
  request: MembershipRequest,
): Promise<void> {
  const { table } = services;
  requireFeasible(request, [...request.addSubgroups, ...request.deleteSubgroups]);
  const seen = await readGroupsSeen(table);
  const [group, organization] = await Promise.all([getMadeGroup(table, groupId), getOrganization(table)]);
  await learnMemberships(table, caller, settingsThatDecide(group, organization.groups));
  requireMayChangeMembers(caller, group, request, organization.groups);
  const [memberIds, users, known, below] = await Promise.all([
    listDirectMemberIds(table, groupId),
    listUsersAmong(table, request.add),
    listNamed(table, request.addSubgroups),
    loadBelow(table, request.addSubgroups),
  ]);
  checkRequest(request, { group, memberIds, users, known, below });
  const nowSeconds = toSeconds(services.clock.nowMs());
  const shown = await findKnowledgeEvents(table, turnOf(group, request), nowSeconds);
  const change = membershipChange({ group, memberIds }, request, seen);
  const jobs = noticeJobs(caller, group, users);
  await commitWithEvents(services, { ...change, jobs }, shown);
}

/** Adds a user to a group; undefined when they are a member, or the group is deactivated. */
export async function additionChange(
  services: Services,
  groupId: number,
  { userId }: User,
): Promise<Change | undefined> {
  const { table, clock } = services;
  const seen = await readGroupsSeen(table);
  const [group] = await listGroupsById(table, [groupId]);
  if (!group || group.isDeactivated) return undefined;
  const memberIds = await listDirectMemberIds(table, groupId);
  if (memberIds.has(userId)) return undefined;
  const request = { add: [userId], delete: [], addSubgroups: [], deleteSubgroups: [] };
  const shown = await findKnowledgeEvents(table, turnOf(group, request), toSeconds(clock.nowMs()));
  const change = membershipChange({ group, memberIds }, request, seen);
  return { ...change, events: [...(change.events ?? []), ...shown] };
}

const turnOf = (group: Group, request: MembershipRequest) => ({
  groupId: group.groupId,
  userIds: [...request.add, ...request.delete],
  subgroupIds: [...request.addSubgroups, ...request.deleteSubgroups],
  apply({ groups, members }: GroupGraph): GroupGraph {
    const next = new Set([...(members.get(group.groupId) ?? []), ...request.add]);
    for (const userId of request.delete) next.delete(userId);
    return {
      groups: new Map([...groups, [group.groupId, withSubgroups(group, request)]]),
      members: new Map([...members, [group.groupId, next]]),
    };
  },
});

/** Notices for people who were added by another user. */
function noticeJobs(caller: User, { groupId }: Group, added: User[]): Job[] {
  const notified = added.filter(({ userId, isBot }) => userId !== caller.userId && !isBot);
  if (notified.length === 0 || notified.length > MAX_NOTIFIED) return [];
  const payload = { actorId: caller.userId, groupId };
  return [{ type: 'notify-added-to-group', payload, steps: notified.map(({ userId }) => userId) }];
}
