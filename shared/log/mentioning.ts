import type { Channel } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSystemGroup } from '#shared/domain/groups/group-setting.ts';
import { systemGroupNames } from '#shared/domain/groups/permission-rules.ts';
import { ChannelWildcardNotAllowed, TopicWildcardNotAllowed } from '#shared/domain/messages/errors.ts';
import type { Mentions } from '#shared/domain/messages/mentions.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Rendered } from '#shared/markdown/environment.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listEverybodyIn } from '#shared/store/group-members.ts';
import { learnMemberships, listGroupsById } from '#shared/store/groups.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { listParticipantIds } from '#shared/store/participants.ts';
import { keepRoster } from '#shared/store/rosters.ts';
import type { Table } from '#shared/table/table.ts';
import type { TextPlace } from './message-text.ts';

/** More people are many, and not everybody may call them all. */
const MANY = 15;

/** Whom a text mentions, person by person but for wildcards that mean whoever gets it. */
export interface Mentioned {
  userIds: number[];
  memberIds: number[];
  everybody: boolean;
  participantIds: number[];
}

/**
 * Finds out whom a text mentions that names groups or uses wildcards.
 * @throws BadRequest for a group that the author may not mention, ChannelWildcardNotAllowed, TopicWildcardNotAllowed
 */
export async function findMentioned(
  services: Services,
  { author, place }: { author: User; place: TextPlace },
  rendered: Rendered,
): Promise<Mentioned> {
  const { table } = services;
  const { mentionedUserIds: userIds, mentionedGroupIds: groupIds, mentionsChannel, mentionsTopic } = rendered;
  await requireMayMention(table, author, groupIds);
  const topic = mentionsTopic && place.kind === 'channel' ? place : undefined;
  if (mentionsChannel && place.kind === 'channel') await requireMayCallChannel(table, author, place.channel);
  const [memberIds, others] = await Promise.all([
    listEverybodyIn(table, groupIds, toSeconds(services.clock.nowMs())),
    topic ? listParticipantIds(services, { channelId: topic.channel.channelId, topic: topic.topic }) : [],
  ]);
  const participantIds = topic ? [...new Set([...others, author.userId])] : [];
  if (participantIds.length > MANY && !(await mayCallMany(table, author)))
    throw new TopicWildcardNotAllowed();
  return { userIds, memberIds, everybody: mentionsChannel, participantIds };
}

/** Keeps what a message has no room for, and answers with what it holds. */
export async function keepMentions(table: Table, mentioned: Mentioned): Promise<Mentions> {
  const { userIds, memberIds, everybody, participantIds } = mentioned;
  const [members, participants] = await Promise.all(
    [memberIds, participantIds].map((ids) => (ids.length > 0 ? keepRoster(table, ids) : undefined)),
  );
  return {
    ...(userIds.length > 0 && { userIds }),
    ...(members !== undefined && { members }),
    ...(everybody && { everybody }),
    ...(participants !== undefined && { participants }),
  };
}

/** Nobody may mention the groups that every organization has. */
async function requireMayMention(table: Table, author: User, groupIds: number[]): Promise<void> {
  const common = groupIds.find(isSystemGroup);
  if (common !== undefined) throw notMentionable(systemGroupNames[common]);
  const groups = await listGroupsById(table, groupIds);
  await learnMemberships(
    table,
    author,
    groups.map((group) => group.groups.can_mention_group),
  );
  const closed = groups.find(
    (group) => !isPermitted(author, permissions.mentionGroup, { group: group.groups }),
  );
  if (closed) throw notMentionable(closed.name);
}

const notMentionable = (name = '') => new BadRequest(`You are not allowed to mention user group '${name}'.`);

async function requireMayCallChannel(table: Table, author: User, channel: Channel): Promise<void> {
  if (channel.subscriberCount > MANY && !(await mayCallMany(table, author)))
    throw new ChannelWildcardNotAllowed();
}

async function mayCallMany(table: Table, author: User): Promise<boolean> {
  const { groups: organization } = await getOrganization(table);
  await learnMemberships(table, author, [organization.can_mention_many_users_group]);
  return isPermitted(author, permissions.mentionMany, { organization });
}
