import type { Channel } from '#shared/domain/channels/channel.ts';
import { knowledgeEvents, settingsThatShow, type Turn } from '#shared/domain/channels/knowledge.ts';
import { belongsTo, directGroupsOf, type GroupGraph, reach } from '#shared/domain/user-groups/graph.ts';
import type { Group } from '#shared/domain/user-groups/group.ts';
import { groupIdsOf, isSystemGroup, systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { isPastWaitingPeriod } from '#shared/domain/user-groups/system-groups.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { listChannels } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listGroupGraph } from '#shared/store/user-groups/group-graph.ts';
import { listUsersAmong } from '#shared/store/users/users.ts';
import type { Table } from '#shared/table/table.ts';

/** A change of a group. */
export interface GroupTurn {
  groupId: number;
  /** Users who join or leave. */
  userIds: number[];
  /** Subgroups that are added or removed. */
  subgroupIds: number[];
  apply(graph: GroupGraph): GroupGraph;
}

/** The change of a group that is deactivated or reactivated, with all of its members. */
export const activityTurn = (group: Group, isDeactivated: boolean): GroupTurn => ({
  groupId: group.groupId,
  userIds: [],
  subgroupIds: [group.groupId],
  apply: ({ groups, members }) => ({
    groups: new Map([...groups, [group.groupId, { ...group, isDeactivated }]]),
    members,
  }),
});

/**
 * The channel events for users to whom a group's new or former members or subgroups reveal or hide channels.
 * Reads all channels; more only if one of them names custom groups.
 */
export async function findKnowledgeEvents(
  table: Table,
  turn: GroupTurn,
  nowSeconds: number,
): Promise<LogEvent[]> {
  const naming = (await listChannels(table)).filter((channel) => madeGroupsOf(channel).length > 0);
  if (naming.length === 0) return [];
  const before = await listGroupGraph(table);
  const after = turn.apply(before);
  const dependsOn = (id: number): boolean =>
    [before, after].some(({ groups }) => reach(groups, id).has(turn.groupId));
  const channels = naming.filter((channel) => madeGroupsOf(channel).some(dependsOn));
  if (channels.length === 0) return [];
  const users = await listAffected(table, turn, before, nowSeconds);
  const { settings } = await getOrganization(table);
  const isFull = (user: User): boolean => isPastWaitingPeriod(user, settings.waiting_period_threshold);
  const turns = users.map(
    (user): Turn => ({
      before: learn(user, before, isFull(user), channels),
      after: learn(user, after, isFull(user), channels),
    }),
  );
  return knowledgeEvents(turns, channels);
}

/** A member whose full-member status changes. */
export interface StandingTurn {
  user: User;
  wasFull: boolean;
  isFull: boolean;
}

/**
 * The channel events for members whose full-member status changes, for channels that name full members
 * directly or through custom groups. Reads nothing without such members, otherwise all channels, and all
 * groups if a channel names custom ones.
 */
export async function findStandingKnowledge(table: Table, turns: StandingTurn[]): Promise<LogEvent[]> {
  if (turns.length === 0) return [];
  const named = (channel: Channel): number[] => settingsThatShow(channel).flatMap(groupIdsOf);
  const channels = (await listChannels(table)).filter(
    (channel) => madeGroupsOf(channel).length > 0 || named(channel).includes(systemGroups.fullMembers),
  );
  if (channels.length === 0) return [];
  const isGraphNeeded = channels.some((channel) => madeGroupsOf(channel).length > 0);
  const graph = isGraphNeeded ? await listGroupGraph(table) : { groups: new Map(), members: new Map() };
  const learned = turns.map(
    ({ user, wasFull, isFull }): Turn => ({
      before: learn(user, graph, wasFull, channels),
      after: learn(user, graph, isFull, channels),
    }),
  );
  return knowledgeEvents(learned, channels);
}

/** The user with the memberships that the channel settings require, given these groups. */
function learn(user: User, graph: GroupGraph, isFull: boolean, channels: Channel[]): User {
  const learned = { ...user, memberships: new Map<number, boolean>([[systemGroups.fullMembers, isFull]]) };
  const direct = directGroupsOf(user.userId, graph);
  for (const id of channels.flatMap(madeGroupsOf))
    learned.memberships.set(id, belongsTo(learned, id, graph.groups, direct));
  return learned;
}

const madeGroupsOf = (channel: Channel): number[] =>
  settingsThatShow(channel)
    .flatMap(groupIdsOf)
    .filter((id) => !isSystemGroup(id));

/** The active users who may join or leave the group. */
async function listAffected(
  table: Table,
  { userIds, subgroupIds }: GroupTurn,
  { groups, members }: GroupGraph,
  nowSeconds: number,
): Promise<User[]> {
  const reached = subgroupIds.flatMap((id) => [...reach(groups, id)]);
  const isWide = reached.some(isSystemGroup);
  const ids = [...userIds, ...reached.flatMap((id) => [...(members.get(id) ?? [])])];
  const users = await listUsersAmong(table, isWide ? undefined : ids);
  return users.filter(({ isActive }) => isActive).map((user) => asOf(user, nowSeconds));
}
