import { type Channel, defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import type { ChannelMessage, DirectMessage } from '#shared/domain/messages/message.ts';
import { createAccount } from '#shared/domain/users/create.ts';
import { type Role, roles, type User } from '#shared/domain/users/user.ts';

const sent = {
  messageId: 1,
  senderId: 7,
  senderEmail: 'someone@example.com',
  senderFullName: 'Someone',
  senderAvatarVersion: 1,
  client: 'website',
  atSeconds: 1_760_000_000,
  content: 'hi',
  html: '<p>hi</p>',
  isReadBySender: false,
};

/** A message to a channel, with the fields that matter to a test. */
export const channelMessage = ({
  channelId = 1,
  ...fields
}: Partial<ChannelMessage> & { messageId?: number }): ChannelMessage & { messageId: number } => ({
  ...sent,
  kind: 'channel',
  channelId,
  channelName: `channel ${channelId}`,
  isPublic: true,
  topic: 'topic',
  ...fields,
});

/** A message from a user to themselves and others. */
export const directMessage = (
  messageId: number,
  senderId: number,
  others: number[],
  fields: Partial<DirectMessage> = {},
): DirectMessage & { messageId: number } => ({
  ...sent,
  kind: 'direct',
  messageId,
  senderId,
  recipients: [...new Set([senderId, ...others])]
    .sort((a, b) => a - b)
    .map((id) => ({ id, email: `user${id}@example.com`, fullName: `User ${id}` })),
  ...fields,
});

/** A public channel of the user 1, with the fields that matter to a test. */
export const channelOf = (channelId: number, fields: Partial<Channel> = {}): Channel => ({
  channelId,
  name: `channel ${channelId}`,
  description: '',
  descriptionHtml: '',
  createdAtSeconds: 0,
  creatorId: 1,
  isPrivate: false,
  isWebPublic: false,
  isArchived: false,
  isHistoryPublic: true,
  firstMessageId: null,
  lastActiveAtSeconds: 0,
  folderId: null,
  topicsPolicy: 'inherit',
  messageRetentionDays: null,
  subscriberCount: 0,
  groups: defaultChannelGroups(1),
  ...fields,
});

/** A user with a new account, and the fields that matter to a test. */
export const userOf = (userId: number, role: Role = roles.member, fields: Partial<User> = {}): User => ({
  ...createAccount({ userId, email: `u${userId}@example.com`, fullName: `User ${userId}`, nowSeconds: 0 }),
  role,
  ...fields,
});
