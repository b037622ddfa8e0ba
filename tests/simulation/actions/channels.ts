import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Params, Scene } from './action.ts';
import { entryOf, isAdministrator, on, someone } from './action.ts';

const channelOf = entryOf('streams', (channel) => !channel.is_archived);
const ownChannelOf = entryOf('subscriptions', (channel) => !channel.is_archived);
const groupOf = entryOf('realm_default_stream_groups');

const idOf = ({ stream_id }: SnapshotData): Params => ({ stream_id });
const namesOf = (channel: SnapshotData | undefined): string[] => (channel ? [channel.name] : []);
const topicOf = ({ random }: Scene): string => random.pick(['one', 'two']);

/** A random kind of channel. */
const settingsOf = (scene: Scene): Params => {
  const { random, label } = scene;
  const group = entryOf('realm_user_groups', ({ deactivated }) => !deactivated)(scene)?.id ?? 6;
  return random.pick<Params>([
    { is_private: true },
    { is_private: true, history_public_to_subscribers: random.chance(0.5) },
    { is_private: false },
    { is_private: false },
    { description: label('Described') },
    { new_name: label('Channel') },
    { new_name: label('Channel') },
    { can_add_subscribers_group: { new: group } },
    { can_subscribe_group: { new: group } },
    { can_administer_channel_group: { new: group } },
    { can_send_message_group: { new: random.pick([6, 7]) } },
    { folder_id: entryOf('channel_folders')(scene)?.id ?? null },
    { topics_policy: random.pick(['inherit', 'allow_empty_topic']) },
  ]);
};

const channelLife: Action[] = [
  ...[false, true].map(
    (isPrivate): Action => ({
      operation: 'createChannel',
      announces: 'stream/create',
      times: 2,
      params: (scene) => ({
        name: scene.label(isPrivate ? 'Secret' : 'Channel'),
        subscribers: [scene.caller.userId, someone(scene)],
        invite_only: isPrivate,
        history_public_to_subscribers: scene.random.chance(0.5),
      }),
    }),
  ),
  {
    operation: 'editChannel',
    by: isAdministrator,
    times: 14,
    params: on(channelOf, ({ stream_id }, scene) => ({ stream_id, ...settingsOf(scene) })),
  },
  { operation: 'archiveChannel', by: isAdministrator, times: 2, params: on(channelOf, idOf) },
  {
    operation: 'editChannel',
    by: isAdministrator,
    times: 3,
    params: on(
      entryOf('streams', (channel) => channel.is_archived),
      ({ stream_id }) => ({ stream_id, is_archived: false }),
    ),
  },
  { operation: 'addDefaultChannel', times: 2, params: on(channelOf, idOf) },
  {
    operation: 'removeDefaultChannel',
    params: on(entryOf('realm_default_streams'), (stream_id) => ({ stream_id })),
  },
  {
    operation: 'createDefaultGroup',
    times: 3,
    params: (scene) => ({
      group_name: scene.label('Group of channels'),
      description: scene.label('The purpose of a group'),
      stream_names: namesOf(channelOf(scene)),
    }),
  },
  {
    operation: 'editDefaultGroup',
    params: on(groupOf, ({ id }, { label }) => ({
      group_id: id,
      new_description: label('What else it is for'),
    })),
  },
  {
    operation: 'editDefaultGroupChannels',
    times: 2,
    params: on(groupOf, ({ id, streams }, scene) => {
      const channel = channelOf(scene);
      const op = streams.includes(channel?.stream_id) ? 'remove' : 'add';
      return channel && { group_id: id, op, stream_names: namesOf(channel) };
    }),
  },
  { operation: 'deleteDefaultGroup', params: on(groupOf, ({ id }) => ({ group_id: id })) },
];

const folderActions: Action[] = [
  {
    operation: 'createChannelFolder',
    announces: 'channel_folder/add',
    times: 3,
    params: ({ label }) => ({ name: label('Folder') }),
  },
  {
    operation: 'editChannelFolder',
    announces: 'channel_folder/update',
    params: on(entryOf('channel_folders'), ({ id }, { label }) => ({
      channel_folder_id: id,
      description: label('Folded'),
    })),
  },
  {
    operation: 'reorderChannelFolders',
    times: 2,
    params: ({ state }) => {
      const order = (state.channel_folders as SnapshotData[]).map(({ id }) => id);
      return order.length > 1 ? { order: [...order.slice(1), ...order.slice(0, 1)] } : undefined;
    },
  },
];

/** The users that somebody subscribes or unsubscribes, often only themselves. */
const principalsOf = (scene: Scene, share: number): Params =>
  scene.random.chance(share) ? { principals: [someone(scene)] } : {};

const propertyOf = ({ random }: Scene, { stream_id }: SnapshotData): Params => ({
  stream_id,
  property: random.pick(['pin_to_top', 'is_muted']),
  value: random.chance(0.6),
});

const subscriptionActions: Action[] = [
  {
    operation: 'subscribe',
    announces: 'stream/create',
    params: (scene) => ({ subscriptions: [{ name: scene.label('Channel') }], principals: [someone(scene)] }),
  },
  {
    operation: 'subscribe',
    times: 8,
    params: on(channelOf, ({ name }, scene) => ({ subscriptions: [{ name }], ...principalsOf(scene, 0.6) })),
  },
  {
    operation: 'unsubscribe',
    times: 5,
    params: on(ownChannelOf, ({ name }, scene) => ({ subscriptions: [name], ...principalsOf(scene, 0.5) })),
  },
  {
    operation: 'editSubscriptionProperties',
    times: 2,
    params: on(ownChannelOf, (channel, scene) => ({ subscription_data: [propertyOf(scene, channel)] })),
  },
  {
    operation: 'editSubscription',
    params: on(ownChannelOf, (channel, scene) => propertyOf(scene, channel)),
  },
  {
    operation: 'setTopicPolicy',
    times: 2,
    params: on(ownChannelOf, ({ stream_id }, scene) => ({
      stream_id,
      topic: topicOf(scene),
      visibility_policy: scene.random.pick([0, 1, 3]),
    })),
  },
  {
    operation: 'updateMutedTopic',
    params: on(ownChannelOf, ({ stream_id }, scene) => ({ stream_id, topic: topicOf(scene), op: 'add' })),
  },
];

/** Actions on channels and their members. */
export const channelActions: Action[] = [...channelLife, ...folderActions, ...subscriptionActions];
