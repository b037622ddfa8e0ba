import { limits } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { placeOfUnfit, toCanonical } from '#shared/domain/names.ts';

/** What clients that do not know of empty topics see instead of one. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';
const EMPTY_TOPIC_NAMES = ['(no topic)', EMPTY_TOPIC_DISPLAY_NAME];

/** Reference, "Common conventions" 5: two names are read as the empty topic. */
export function readTopic(given: string): string {
  const topic = given.trim();
  return EMPTY_TOPIC_NAMES.includes(topic) ? '' : topic;
}

/** A topic as a client shows it. */
export const showTopic = (topic: string, allowsEmptyTopic: boolean): string =>
  topic === '' && !allowsEmptyTopic ? EMPTY_TOPIC_DISPLAY_NAME : topic;

export const isSameTopic = (a: string, b: string): boolean => toCanonical(a) === toCanonical(b);

const RESOLVED_PREFIX = '✔ ';

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** Whether one topic is the other one marked as resolved, or the reverse. */
export const isResolving = (before: string, after: string): boolean =>
  before !== '' && after !== '' && (after === RESOLVED_PREFIX + before || before === RESOLVED_PREFIX + after);

/**
 * The topic as it is stored: at most 60 code points, cut with an ellipsis.
 * @throws BadRequest for characters that no name has
 */
export function checkTopic(given: string): string {
  const read = readTopic(given);
  const unfit = placeOfUnfit(read);
  if (unfit > 0) throw new BadRequest(`Invalid character in topic, at position ${unfit}!`);
  return cutTopic([...read]);
}

/** A topic that may never be sent to: read and cut like any other. @throws BadRequest for null bytes alone */
export function checkTentativeTopic(given: string): string {
  if (given.includes('\0')) throw new BadRequest('Topic must not contain null bytes');
  return cutTopic([...readTopic(given)]);
}

const cutTopic = (characters: string[]): string =>
  characters.length <= limits.topic
    ? characters.join('')
    : `${characters.slice(0, limits.topic - 3).join('')}...`;
