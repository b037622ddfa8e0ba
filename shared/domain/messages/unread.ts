import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { isMutedFor, type TopicPolicies, type TopicWishes } from '#shared/domain/topics/visibility.ts';
import { hasReceived } from './access.ts';
import { conversationKey } from './conversation.ts';
import { callsOn, type RecipientSets } from './mentions.ts';
import type { MessageFacts } from './message.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from './topic.ts';

export interface UnreadOptions {
  userId: number;
  subscriptions: Map<number, Subscription>;
  policies: TopicPolicies;
  allowsEmptyTopic: boolean;
  isPartial: boolean;
  /** The loaded recipient sets of these messages. */
  recipientSets: RecipientSets;
}

/** The `unread_msgs` of register: unread messages, ascending, grouped by conversation. */
export function summarizeUnread(unread: MessageFacts[], options: UnreadOptions) {
  const { userId, subscriptions, policies, allowsEmptyTopic, isPartial, recipientSets } = options;
  const topics = groupByTopic(unread.filter((message) => message.kind === 'channel'));
  const directs = unread.filter((message) => message.kind === 'direct');
  const isSmall = (message: { recipients: unknown[] }): boolean => message.recipients.length <= 2;
  const wishesFor = ({ channelId }: TopicPlace): TopicWishes => ({
    policies,
    subscription: subscriptions.get(channelId),
  });
  const isHeard = ([first]: ChannelFacts[]): boolean =>
    first !== undefined && !isMutedFor(first, wishesFor(first));
  const isCall = (message: MessageFacts): boolean =>
    message.mentions !== undefined &&
    hasReceived({ userId }, message, subscriptions) &&
    callsOn(
      userId,
      message,
      recipientSets,
      message.kind === 'channel' ? wishesFor(message) : { policies, subscription: undefined },
    );
  return {
    count: topics.filter(isHeard).reduce((sum, { length }) => sum + length, directs.length),
    pms: groupBy(directs.filter(isSmall), (message) => otherThan(userId, message.recipients))
      .map(([otherId, messages]) => ({
        other_user_id: otherId,
        sender_id: otherId,
        unread_message_ids: idsOf(messages),
      }))
      .sort((a, b) => a.other_user_id - b.other_user_id),
    streams: topics
      .map((messages) => toTopic(messages, allowsEmptyTopic))
      .sort((a, b) => a.stream_id - b.stream_id || compare(toCanonical(a.topic), toCanonical(b.topic))),
    huddles: groupBy(
      directs.filter((message) => !isSmall(message)),
      ({ recipients }) => conversationKey(recipients.map(({ id }) => id)),
    )
      .map(([key, messages]) => ({ user_ids_string: key, unread_message_ids: idsOf(messages) }))
      .sort((a, b) => compare(a.user_ids_string, b.user_ids_string)),
    mentions: idsOf(unread.filter(isCall)),
    old_unreads_missing: isPartial,
  };
}

type ChannelFacts = Extract<MessageFacts, { kind: 'channel' }>;

/** The messages of each topic. There may be 50 000, so a spelling of a topic is made canonical once. */
function groupByTopic(messages: ChannelFacts[]): ChannelFacts[][] {
  const canonical = new Map<string, string>();
  const canonicalOf = ({ topic }: ChannelFacts): string => {
    const known = canonical.get(topic);
    if (known !== undefined) return known;
    const made = toCanonical(topic);
    canonical.set(topic, made);
    return made;
  };
  const channels = Map.groupBy(messages, ({ channelId }) => channelId);
  return [...channels.values()].flatMap((those) => [...Map.groupBy(those, canonicalOf).values()]);
}

const groupBy = <One, Key>(all: One[], keyOf: (member: One) => Key): [Key, One[]][] => [
  ...Map.groupBy(all, keyOf),
];

const idsOf = (messages: MessageFacts[]): number[] => messages.map(({ messageId }) => messageId);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const otherThan = (userId: number, recipients: { id: number }[]): number =>
  recipients.find(({ id }) => id !== userId)?.id ?? userId;

/** The topic is spelled as in its newest message. */
function toTopic(messages: ChannelFacts[], allowsEmptyTopic: boolean) {
  const newest = messages.at(-1);
  const topic = newest?.topic ?? '';
  return {
    stream_id: newest?.channelId ?? 0,
    topic: topic === '' && !allowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic,
    unread_message_ids: idsOf(messages),
  };
}
