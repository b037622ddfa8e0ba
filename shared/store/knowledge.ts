import type { Channel } from '#shared/domain/channels/channel.ts';
import { knowledgeEvents, settingsThatShow, type Turn } from '#shared/domain/channels/knowledge.ts';
import { belongsTo, directGroupsOf, type GroupGraph, reach } from '#shared/domain/groups/graph.ts';
import type { Group } from '#shared/domain/groups/group.ts';
import { groupIdsOf, isSystemGroup, systemGroups } from '#shared/domain/groups/group-setting.ts';
import { isPastWaitingPeriod } from '#shared/domain/groups/system-groups.ts';
import { asOf, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Table } from '#shared/table/table.ts';
import { listChannels } from './channels.ts';
import { listGroupGraph } from './group-graph.ts';
import { getOrganization } from './organization.ts';
import { listUsersAmong } from './users.ts';

/** What is to become of a group. */
export interface GroupTurn {
  groupId: number;
  /** Users who come or go themselves. */
  userIds: number[];
  /** Groups that come or go below it. */
  subgroupIds: number[];
  apply(graph: GroupGraph): GroupGraph;
}

/** The turn of a group that is deactivated or comes back, with all that are in it. */
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
 * What users hear of channels that a group's new members or subgroups show to them or hide from them. Reads all channels, and more only where one of them names groups that people made.
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

/** A member who was new and is not any more, or is again. */
export interface StandingTurn {
  user: User;
  wasFull: boolean;
  isFull: boolean;
}

/**
 * What members hear of channels that are for full members, directly or through groups that people made. Reads nothing
 * where nobody becomes a full member or stops to be one, else all channels, and all groups where one of those names them.
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

/** The user with what the settings of channels ask about their groups learned, in a world of these groups. */
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

/** The active users who may come into the group or leave it. */
async function listAffected(
  table: Table,
  { userIds, subgroupIds }: GroupTurn,
  { groups, members }: GroupGraph,
  nowSeconds: number,
): Promise<User[]> {
  const reached = subgroupIds.flatMap((id) => [...reach(groups, id)]);
  const everybody = reached.some(isSystemGroup);
  const ids = [...userIds, ...reached.flatMap((id) => [...(members.get(id) ?? [])])];
  const users = await listUsersAmong(table, everybody ? undefined : ids);
  return users.filter(({ isActive }) => isActive).map((user) => asOf(user, nowSeconds));
}
