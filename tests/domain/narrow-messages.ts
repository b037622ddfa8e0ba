import type { Channel } from '#shared/domain/channels/channel.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { MessageContext } from '#shared/domain/narrow/term.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import { channelOf } from '#tests/harness/samples.ts';

export const CALLER = 1;

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
