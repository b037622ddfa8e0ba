import { type Channel, defaultChannelGroups } from '#shared/domain/channels/channel.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { MessageContext } from '#shared/domain/narrow/term.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';

export const CALLER = 1;

export const base = {
  senderEmail: 'someone@example.com',
  senderFullName: 'Someone',
  senderAvatarVersion: 1,
  client: 'website',
  atSeconds: 1_760_000_000,
  content: 'hi',
  html: '<p>hi</p>',
  isReadBySender: false,
};

export const channelMessage = (given: {
  messageId: number;
  senderId: number;
  channelId: number;
  topic: string;
}): Message => ({
  ...base,
  kind: 'channel',
  channelName: `channel ${given.channelId}`,
  isPublic: true,
  ...given,
});

export const directMessage = (messageId: number, senderId: number, others: number[]): Message => ({
  ...base,
  kind: 'direct',
  messageId,
  senderId,
  recipients: [...new Set([senderId, ...others])]
    .sort((a, b) => a - b)
    .map((id) => ({ id, email: `user${id}@example.com`, fullName: `User ${id}` })),
});

function channelOf(channelId: number, settings: Partial<Channel> = {}): Channel {
  return {
    channelId,
    name: `channel ${channelId}`,
    description: '',
    descriptionHtml: '',
    createdAtSeconds: 0,
    creatorId: null,
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
    groups: defaultChannelGroups(CALLER),
    ...settings,
  };
}

export interface Circumstances {
  flags?: string[];
  channel?: Partial<Channel>;
  isMuted?: boolean;
  /** Policies of topics of the channel 7. */
  topics?: Record<string, 1 | 2 | 3>;
  mutedUserIds?: number[];
}

const preference = { channelId: 7, channelName: 'channel 7', updatedAtSeconds: 0 };

export function contextOf(
  message: Message,
  { flags = [], channel, isMuted = false, topics = {}, mutedUserIds = [] }: Circumstances = {},
): MessageContext {
  const policies = toTopicPolicies(
    Object.entries(topics).map(([topic, policy]) => ({ ...preference, topic, policy })),
  );
  const preferences = { policies, mutedUserIds: new Set(mutedUserIds) };
  if (message.kind === 'direct') return { callerId: CALLER, flags, view: undefined, preferences };
  const { channelId } = message;
  const subscription = { ...subscribeAt(undefined, { userId: CALLER, channelId }, '#000000', 0), isMuted };
  const view = { channel: channelOf(channelId, channel), subscription };
  return { callerId: CALLER, flags, view, preferences };
}
