import type { Channel } from '#shared/domain/channels/channel.ts';
import { groupSettingsOf } from '#shared/domain/channels/permissions.ts';
import { BadRequest, ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import {
  type Address,
  asksForNewTopics,
  type ChannelDestination,
  type Destination,
  type DirectMessagePolicy,
  isSubjectToPolicy,
  mayBegin,
  requireMayPost,
  type SettledTopicsPolicy,
} from '#shared/domain/messages/destination.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { findChannel, findChannelByName, findTopicSummary } from '#shared/store/channels/channels.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { findUserByAddress } from '#shared/store/users/addresses.ts';
import { listSeenById } from '#shared/store/visibility/visible-users.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Table } from '#shared/table/table.ts';

/** The destination of an address, if the sender may post there. @throws ChannelDoesNotExist or BadRequest */
export async function getDestination(table: Table, sender: User, address: Address): Promise<Destination> {
  const destination =
    address.kind === 'channel'
      ? await getChannelDestination(table, sender, address)
      : await getDirectDestination(table, sender, address.users);
  if (destination.kind === 'channel')
    await learnMemberships(table, sender, groupSettingsOf(destination.channel));
  requireMayPost(sender, destination, address.kind === 'channel' ? address.channel : '');
  return destination;
}

async function getChannelDestination(
  table: Table,
  sender: User,
  { channel: named, topic }: Extract<Address, { kind: 'channel' }>,
): Promise<Destination> {
  if (typeof named === 'number') {
    const [channel, subscription] = await Promise.all([
      findChannel(table, named),
      findSubscription(table, sender.userId, named),
    ]);
    if (!channel) throw new ChannelDoesNotExist(named);
    return withTopic(table, { channel, subscription, topic });
  }
  const channel = await findChannelByName(table, named);
  if (!channel) throw new ChannelDoesNotExist(named);
  const subscription = await findSubscription(table, sender.userId, channel.channelId);
  return withTopic(table, { channel, subscription, topic });
}

/** A topic of a channel as a destination. */
export async function withTopic(
  table: Table,
  destination: Omit<ChannelDestination, 'kind' | 'isNewTopic' | 'topicsPolicy'>,
): Promise<ChannelDestination> {
  const { channel, topic } = destination;
  const isNewTopic =
    asksForNewTopics(destination) && (await findTopicSummary(table, channel.channelId, topic)) === undefined;
  const topicsPolicy = await settleTopicsPolicy(table, channel, topic);
  return { kind: 'channel', ...destination, isNewTopic, topicsPolicy };
}

/** The organization is read only if the channel inherits its rule for the empty topic. */
async function settleTopicsPolicy(
  table: Table,
  { topicsPolicy }: Channel,
  topic: string,
): Promise<SettledTopicsPolicy> {
  if (topicsPolicy !== 'inherit') return topicsPolicy;
  return topic === '' ? (await getOrganization(table)).settings.topics_policy : 'allow_empty_topic';
}

async function getDirectDestination(
  table: Table,
  sender: User,
  named: (number | string)[],
): Promise<Destination> {
  const ids = named.filter((value) => typeof value === 'number');
  const emails = named.filter((value) => typeof value === 'string');
  const byId = await listSeenById(table, sender, ids);
  const unknownId = ids.find((id) => !byId.some(({ userId }) => userId === id));
  if (unknownId !== undefined) throw new BadRequest(`Invalid user ID ${unknownId}`);
  const byEmail = await mapConcurrently(emails, async (email) => {
    const user = await findUserByAddress(table, sender, email);
    if (!user) throw new BadRequest(`Invalid email '${email}'`);
    return user;
  });
  const users = [...byId, ...byEmail];
  const others = users.filter(({ userId }) => userId !== sender.userId);
  if (!isSubjectToPolicy(sender, others))
    return { kind: 'direct', users: others.length > 0 ? others : [sender] };
  return { kind: 'direct', users: others, policy: await loadPolicy(table, sender, others) };
}

/** Whether the conversation is new is read only if the rules depend on it. */
async function loadPolicy(table: Table, sender: User, others: User[]): Promise<DirectMessagePolicy> {
  const { groups: organization } = await getOrganization(table);
  const settings = [
    organization.direct_message_permission_group,
    organization.direct_message_initiator_group,
  ];
  const participants = [sender, ...others];
  await mapConcurrently(participants, (user) => learnMemberships(table, user, settings));
  const conversation = conversationKey(participants.map(({ userId }) => userId));
  const isNew =
    !mayBegin(sender, organization) &&
    (await table.find(userKeys.conversation(sender.userId, conversation))) === undefined;
  return { organization, isNew };
}
