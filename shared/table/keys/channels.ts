import { chunkSortKey, idSortKey, type Key } from './key.ts';
import { userPartitions } from './users.ts';

export const channelPartitions = {
  channels: () => 'CHANNELS',
  channel: (channelId: number) => `CHANNEL#${channelId}`,
  subscribers: () => 'SUBSCRIBERS',
  folders: () => 'CHANNEL_FOLDERS',
};

/** Sort-key prefixes of the collections that belong to channels. */
export const channelPrefixes = {
  topic: 'TOPIC#',
  subscribers: (channelId: number) => `${idSortKey(channelId)}#`,
  /** In the partition of a user. */
  subscription: 'SUBSCRIPTION#',
  topicPreference: 'TOPIC_PREFERENCE#',
};

export const channelKeys = {
  channel: (channelId: number): Key => ({ pk: channelPartitions.channels(), sk: idSortKey(channelId) }),
  name: (canonicalName: string): Key => ({ pk: `CHANNEL_NAME#${canonicalName}`, sk: 'CHANNEL_NAME' }),
  subscribers: (channelId: number, chunk: number): Key => ({
    pk: channelPartitions.subscribers(),
    sk: `${channelPrefixes.subscribers(channelId)}${chunkSortKey(chunk)}`,
  }),
  subscription: (userId: number, channelId: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${channelPrefixes.subscription}${idSortKey(channelId)}`,
  }),
  topic: (channelId: number, canonicalTopic: string): Key => ({
    pk: channelPartitions.channel(channelId),
    sk: `${channelPrefixes.topic}${canonicalTopic}`,
  }),
  topicPreference: (userId: number, channelId: number, canonicalTopic: string): Key => ({
    pk: userPartitions.user(userId),
    sk: `${channelPrefixes.topicPreference}${idSortKey(channelId)}#${canonicalTopic}`,
  }),
  /** Sorts before the preferences. */
  topicPreferenceRevision: (userId: number): Key => ({
    pk: userPartitions.user(userId),
    sk: channelPrefixes.topicPreference,
  }),
  /** Users with a preference for a topic. */
  topicPreferrers: (channelId: number, canonicalTopic: string): Key => ({
    pk: channelPartitions.channel(channelId),
    sk: `PREFERRED#${canonicalTopic}`,
  }),
  folder: (folderId: number): Key => ({ pk: channelPartitions.folders(), sk: idSortKey(folderId) }),
  folderOrder: (): Key => ({ pk: channelPartitions.folders(), sk: 'ORDER' }),
};
