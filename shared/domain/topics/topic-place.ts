import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';

/** A topic of a channel. */
export interface TopicPlace {
  channelId: number;
  topic: string;
}

/** A topic, with its channel and one user's relation to it. */
export interface TopicView extends ChannelView {
  topic: string;
}

export const placeOf = ({ channel, topic }: Pick<TopicView, 'channel' | 'topic'>): TopicPlace => ({
  channelId: channel.channelId,
  topic,
});

/** The topic of a message; undefined for a direct message. */
export const topicOf = (message: Message, view: ChannelView | undefined): TopicView | undefined =>
  message.kind === 'channel' && view ? { ...view, topic: message.topic } : undefined;

export const isSamePlace = (a: TopicPlace, b: TopicPlace): boolean =>
  a.channelId === b.channelId && isSameTopic(a.topic, b.topic);
