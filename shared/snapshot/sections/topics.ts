import { showTopic } from '#shared/domain/messages/topic.ts';
import { inOrder } from '#shared/domain/topics/preference.ts';
import { toMutedTopics, toTopicRecord } from '#shared/domain/topics/record.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { getMutedUsers } from '#shared/store/users/muted-users.ts';
import type { Loading, Section } from './section.ts';

/** Muted and followed topics, and muted users. */
export const topicSection: Section = async (loading) => {
  const { services, request, wants } = loading;
  const [userTopics, mutedTopics, muted] = await Promise.all([
    wants('user_topic') ? listUserTopics(loading) : undefined,
    wantsMutedTopics(loading) ? listMutedTopics(loading) : undefined,
    wants('muted_users') ? getMutedUsers(services.table, request.caller.userId) : undefined,
  ]);
  return {
    ...(userTopics && { user_topics: userTopics }),
    ...(mutedTopics && { muted_topics: mutedTopics }),
    ...(muted && { muted_users: muted.mutedUsers }),
  };
};

/** Clients that request topic preferences by name do not use the older form. */
const wantsMutedTopics = ({ request, wants }: Loading): boolean =>
  wants('muted_topics') && !request.fetchTypes?.includes('user_topic');

const allowsEmptyTopic = ({ request }: Loading): boolean => hasCapability(request.filter, 'empty_topic_name');

async function listUserTopics(loading: Loading) {
  const preferences = await loading.topicPreferences();
  return inOrder(preferences)
    .map(toTopicRecord)
    .map((record) => ({ ...record, topic_name: showTopic(record.topic_name, allowsEmptyTopic(loading)) }));
}

async function listMutedTopics(loading: Loading) {
  const views = new Map(loading.views.map((view) => [view.channel.channelId, view]));
  const muted = toMutedTopics(await loading.topicPreferences(), loading.request.caller, (id) =>
    views.get(id),
  );
  return muted.map(([name, topic, at]) => [name, showTopic(topic, allowsEmptyTopic(loading)), at]);
}
