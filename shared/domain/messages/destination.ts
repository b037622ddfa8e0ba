import type { TopicsPolicy } from '#shared/domain/channels/channel.ts';
import { mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest, ChannelDoesNotExist } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { displayEmailOf, type User } from '#shared/domain/users/user.ts';
import type { ChannelView } from './access.ts';
import { checkTopic } from './topic.ts';

/** The values of `type`; `stream` and `private` are the older names. */
export const messageTypes = ['direct', 'private', 'channel', 'stream'] as const;
export type MessageType = (typeof messageTypes)[number];

export const isChannelType = (type: MessageType): boolean => type === 'channel' || type === 'stream';

/** The destination of a message as the sender wrote it. */
export type Address =
  | { kind: 'channel'; channel: number | string; topic: string }
  | { kind: 'direct'; users: (number | string)[] };

/** A topic of a channel, with the state that decides whether messages may be sent there. */
export interface ChannelDestination extends ChannelView {
  kind: 'channel';
  topic: string;
  isNewTopic: boolean;
  topicsPolicy: SettledTopicsPolicy;
}

/** The destination of a message, with the state that decides whether it is allowed. */
export type Destination =
  | ChannelDestination
  /** All recipients except the sender; only the sender for notes to oneself. */
  | { kind: 'direct'; users: User[]; policy?: DirectMessagePolicy };

/** The organization's rules for direct messages, with the state that they need for this conversation. */
export interface DirectMessagePolicy {
  organization: OrganizationGroups;
  /** The conversation has no messages yet. */
  isNew: boolean;
}

/** The channel's rule for the empty topic, or the organization's if the channel inherits it. */
export type SettledTopicsPolicy = Exclude<TopicsPolicy, 'inherit'>;

/** Whether the rules distinguish new topics; if not, the caller need not look. */
export const asksForNewTopics = ({ channel }: ChannelView): boolean =>
  channel.groups.can_create_topic_group !== systemGroups.everyone;

/**
 * @throws ChannelDoesNotExist for a channel that is hidden from the sender, BadRequest for other places where
 * the sender may not post
 */
export function requireMayPost(sender: User, destination: Destination, named: number | string): void {
  if (destination.kind === 'direct') {
    if (sender.onlyChannels)
      throw new BadRequest('This API token sends only to the channels that it is limited to.');
    requireReachable(destination.users);
    if (destination.policy) requireMayWrite(sender, destination.users, destination.policy);
    return;
  }
  if (!mayKnow(sender, destination)) throw new ChannelDoesNotExist(named);
  requireMayPostIn(sender, destination);
  requireMayUseTopic(sender, destination);
}

/** @throws BadRequest when the sender may not post in a channel that they know */
export function requireMayPostIn(sender: User, { channel, subscription }: ChannelView): void {
  if (channel.isArchived || (channel.isPrivate && !isSubscribed(subscription)))
    throw new BadRequest(`Not authorized to send to channel '${channel.name}'`);
  if (!isPermitted(sender, permissions.post, { channel: channel.groups }))
    throw new BadRequest('You do not have permission to post in this channel.');
}

/** @throws BadRequest when the channel does not allow the topic, or the sender may not start it */
export function requireMayUseTopic(
  sender: User,
  { channel, topic, isNewTopic, topicsPolicy }: ChannelDestination,
): void {
  if (topic === '' && topicsPolicy === 'disable_empty_topic')
    throw new BadRequest('Sending messages to the general chat is not allowed in this channel.');
  if (topic !== '' && topicsPolicy === 'empty_topic_only')
    throw new BadRequest('Only the general chat topic is allowed in this channel.');
  if (isNewTopic && !isPermitted(sender, permissions.startTopic, { channel: channel.groups }))
    throw new BadRequest('You do not have permission to create new topics in this channel.');
}

function requireReachable(users: User[]): void {
  const gone = users.find(({ isActive }) => !isActive);
  if (gone) throw new BadRequest(`'${displayEmailOf(gone)}' is no longer using this service.`);
}

/** Direct messages between people and bots are allowed whatever the organization's rules. */
export const isSubjectToPolicy = (sender: User, users: User[]): boolean =>
  !sender.isBot && users.some(({ userId, isBot }) => userId !== sender.userId && !isBot);

function requireMayWrite(sender: User, users: User[], { organization, isNew }: DirectMessagePolicy): void {
  if (
    ![sender, ...users].some((user) => isPermitted(user, permissions.authorizeConversation, { organization }))
  )
    throw new BadRequest(
      organization.direct_message_permission_group === systemGroups.nobody
        ? 'Direct messages are disabled in this organization.'
        : 'This conversation does not include any users who can authorize it.',
    );
  if (isNew && !mayBegin(sender, organization))
    throw new BadRequest('You do not have permission to initiate direct message conversations.');
}

export const mayBegin = (sender: User, organization: OrganizationGroups): boolean =>
  isPermitted(sender, permissions.beginConversation, { organization });

/** Larger audiences should use a channel. */
const MAX_RECIPIENTS = 500;

/**
 * Reads `to` and `topic` of a new message. A channel is given by id, name or a list of one of them; people by
 * a list of ids, a list of addresses, or comma-separated addresses.
 */
export function readAddress(type: MessageType, to: string | undefined, topic: string | undefined): Address {
  if (!isChannelType(type)) return { kind: 'direct', users: readUsers(parseJson(to)) };
  const channel = readChannel(parseChannel(to));
  if (topic === undefined) throw new BadRequest('Missing topic');
  return { kind: 'channel', channel, topic: checkTopic(topic) };
}

/** A text, a number or a list in JSON. All else is the name of a channel, such as `null`, and to parse it would cost an exception. */
const parseChannel = (to = ''): unknown => (/^\s*["[\d-]/.test(to) ? parseJson(to) : to);

function parseJson(to: string | undefined): unknown {
  if (to === undefined) return undefined;
  try {
    return JSON.parse(to);
  } catch {
    return to;
  }
}

function readChannel(input: unknown): number | string {
  if (input === '') throw new BadRequest('Missing channel');
  const list: unknown[] = Array.isArray(input) ? input : [input];
  const [channel] = list;
  if (list.length > 1) throw new BadRequest('Cannot send to multiple channels');
  if (channel === undefined) throw new BadRequest('Expected exactly one channel');
  if (typeof channel === 'string' && channel.isWellFormed()) return channel.trim();
  if (Number.isSafeInteger(channel)) return channel as number;
  throw new BadRequest('Invalid data type for channel');
}

function readUsers(input: unknown): (number | string)[] {
  if (input === undefined) throw new BadRequest('Message must have recipients');
  const list = typeof input === 'string' ? input.split(',') : Array.isArray(input) ? input : [input];
  const users = list
    .map((value: unknown) => (typeof value === 'string' ? value.trim() : value))
    .filter((value) => value !== '');
  const isEmails = users.every((user) => typeof user === 'string' && user.isWellFormed());
  const isIds = users.every((user) => Number.isSafeInteger(user));
  checkRecipientCount(users);
  if (isEmails || isIds) return users as (number | string)[];
  const isMixed = users.every((user) => typeof user === 'string' || Number.isSafeInteger(user));
  if (isMixed) throw new BadRequest('Recipient lists may contain emails or user IDs, but not both.');
  throw new BadRequest('Invalid data type for recipients');
}

/** @throws BadRequest for no recipients and for more than a conversation may have */
export function checkRecipientCount(users: unknown[]): void {
  if (users.length === 0) throw new BadRequest('Message must have recipients');
  if (users.length > MAX_RECIPIENTS) throw new BadRequest(`Too many recipients (maximum ${MAX_RECIPIENTS}).`);
}
