import { limits } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { placeOfUnfit, toCanonical } from '#shared/domain/names.ts';
import type { ChannelView } from './access.ts';
import type { Message } from './message.ts';

/** The name of the empty topic for clients that do not support it. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';
const EMPTY_TOPIC_NAMES = ['(no topic)', EMPTY_TOPIC_DISPLAY_NAME];

/** Two names mean the empty topic (reference, "Common conventions" 5). */
export function readTopic(input: string): string {
  const topic = input.trim();
  return EMPTY_TOPIC_NAMES.includes(topic) ? '' : topic;
}

/** The topic as this client shows it. */
export const showTopic = (topic: string, allowsEmptyTopic: boolean): string =>
  topic === '' && !allowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic;

export const isSameTopic = (a: string, b: string): boolean => toCanonical(a) === toCanonical(b);

const RESOLVED_PREFIX = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** The name of a topic as a resolved one, and as one that is not. */
export const resolvedName = (topic: string): string => (isResolved(topic) ? topic : RESOLVED_PREFIX + topic);
export const unresolvedName = (topic: string): string =>
  isResolved(topic) ? topic.slice(RESOLVED_PREFIX.length) : topic;

/**
 * Whether two topics differ only by the mark of a resolved topic, with which a long topic is cut. The empty
 * topic has none: no topic ends with a space.
 */
export const isResolving = (before: string, after: string): boolean =>
  isMarked(before, after) || isMarked(after, before);

const isMarked = (topic: string, marked: string): boolean =>
  topic !== '' && cutTopic([...(RESOLVED_PREFIX + topic)]).normalize() === marked.normalize();

/**
 * The topic to store: at most 60 code points, cut with an ellipsis.
 * @throws BadRequest for forbidden characters
 */
export function checkTopic(input: string): string {
  const read = readTopic(input);
  const unfit = placeOfUnfit(read);
  if (unfit > 0) throw new BadRequest(`Invalid character in topic, at position ${unfit}!`);
  return cutTopic([...read]);
}

/**
 * A topic that may never receive a message: read and cut like others.
 * @throws BadRequest for null bytes only
 */
export function checkTentativeTopic(input: string): string {
  if (input.includes('\0')) throw new BadRequest('Topic must not contain null bytes');
  return cutTopic([...readTopic(input)]);
}

const cutTopic = (characters: string[]): string =>
  characters.length <= limits.topic
    ? characters.join('')
    : `${characters.slice(0, limits.topic - 3).join('')}...`;

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
