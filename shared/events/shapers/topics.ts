import { showTopic } from '#shared/domain/messages/topic.ts';
import type { MutedTopic } from '#shared/domain/topics/record.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** A preference, with the display name of the empty topic for clients that need it. */
export const shapeUserTopic: Shaper<'user_topic'> = (payload, { filter }) => [
  {
    ...payload,
    topic_name: showTopic(payload.topic_name, hasCapability(filter, 'empty_topic_name')),
  },
];

/** The older form of the same event; not for clients that request the newer one by name. */
export const shapeMutedTopics: Shaper<'muted_topics'> = (payload, { filter }) => {
  if (filter.eventTypes?.includes('user_topic')) return [];
  const allowsEmptyTopic = hasCapability(filter, 'empty_topic_name');
  const muted = payload.muted_topics.map(
    ([name, topic, at]): MutedTopic => [name, showTopic(topic, allowsEmptyTopic), at],
  );
  return [{ ...payload, muted_topics: muted }];
};
