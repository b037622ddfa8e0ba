import type { Channel } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { ChannelWildcardNotAllowed, TopicWildcardNotAllowed } from '#shared/domain/messages/errors.ts';
import type { Mentions } from '#shared/domain/messages/mentions.ts';
import { placeOf, type TopicView } from '#shared/domain/messages/topic.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isSystemGroup } from '#shared/domain/user-groups/group-setting.ts';
import { systemGroupNames } from '#shared/domain/user-groups/permission-rules.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Rendered } from '#shared/markdown/environment.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keepRecipientSet } from '#shared/store/messages/recipient-sets.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listParticipantIds } from '#shared/store/topics/participants.ts';
import { listEverybodyIn } from '#shared/store/user-groups/group-members.ts';
import { learnMemberships, listGroupsById } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';

/** Above this number of people, wildcard mentions need a permission. */
const MANY = 15;

/** The mentions of a text: all users individually, except for wildcards that mean all recipients. */
export interface Mentioned {
  userIds: number[];
  memberIds: number[];
  everybody: boolean;
  participantIds: number[];
}

/**
 * Resolves mentions of groups and wildcards.
 * @throws BadRequest for a group that the author may not mention, ChannelWildcardNotAllowed,
 * TopicWildcardNotAllowed
 */
export async function findMentioned(
  services: Services,
  { author, topic }: { author: User; topic: TopicView | undefined },
  rendered: Rendered,
): Promise<Mentioned> {
  const { table } = services;
  const { mentionedUserIds: userIds, mentionedGroupIds: groupIds, mentionsChannel, mentionsTopic } = rendered;
  await requireMayMention(table, author, groupIds);
  if (mentionsChannel && topic) await requireMayCallChannel(table, author, topic.channel);
  const called = mentionsTopic ? topic : undefined;
  const [memberIds, others] = await Promise.all([
    listEverybodyIn(table, groupIds, toSeconds(services.clock.nowMs())),
    called ? listParticipantIds(services, placeOf(called)) : [],
  ]);
  const participantIds = called ? [...new Set([...others, author.userId])] : [];
  if (participantIds.length > MANY && !(await mayCallMany(table, author)))
    throw new TopicWildcardNotAllowed();
  return { userIds, memberIds, everybody: mentionsChannel, participantIds };
}

/** Stores mentions that do not fit into a message, and returns the message's own part. */
export async function keepMentions(table: Table, mentioned: Mentioned): Promise<Mentions> {
  const { userIds, memberIds, everybody, participantIds } = mentioned;
  const [members, participants] = await Promise.all(
    [memberIds, participantIds].map((ids) => (ids.length > 0 ? keepRecipientSet(table, ids) : undefined)),
  );
  return {
    ...(userIds.length > 0 && { userIds }),
    ...(members !== undefined && { members }),
    ...(everybody && { everybody }),
    ...(participants !== undefined && { participants }),
  };
}

/** System groups cannot be mentioned. */
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
