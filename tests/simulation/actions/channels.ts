import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Params, Scene } from './action.ts';
import { isAdministrator, oneOf } from './action.ts';

const active = (channels: SnapshotData[]): SnapshotData[] => channels.filter((one) => !one.is_archived);
const channelOf = ({ random, state }: Scene): SnapshotData | undefined =>
  oneOf(random, active(state.streams));
const ownChannelOf = ({ random, state }: Scene): SnapshotData | undefined =>
  oneOf(random, active(state.subscriptions));
const someone = ({ random, cast }: Scene): number => random.pick(cast).userId;

/** A random kind of channel. */
const settingsOf = ({ random, state, label }: Scene): Params => {
  const groups: SnapshotData[] = state.realm_user_groups.filter((one: SnapshotData) => !one.deactivated);
  const group = oneOf(random, groups)?.id ?? 6;
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
    { folder_id: oneOf(random, state.channel_folders as SnapshotData[])?.id ?? null },
    { topics_policy: random.pick(['inherit', 'allow_empty_topic']) },
  ]);
};

const channelLife: Action[] = [
  ...[false, true].map(
    (isPrivate): Action => ({
      operation: 'createChannel',
      announces: 'stream/create',
      times: 2,
      given: (scene) => ({
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
    given: (scene) => {
      const channel = channelOf(scene);
      return channel && { stream_id: channel.stream_id, ...settingsOf(scene) };
    },
  },
  {
    operation: 'archiveChannel',
    by: isAdministrator,
    times: 2,
    given: (scene) => {
      const channel = channelOf(scene);
      return channel && { stream_id: channel.stream_id };
    },
  },
  {
    operation: 'editChannel',
    by: isAdministrator,
    times: 3,
    given: ({ random, state }) => {
      const channel = oneOf(
        random,
        (state.streams as SnapshotData[]).filter((one) => one.is_archived),
      );
      return channel && { stream_id: channel.stream_id, is_archived: false };
    },
  },
  {
    operation: 'addDefaultChannel',
    times: 2,
    given: (scene) => {
      const channel = channelOf(scene);
      return channel && { stream_id: channel.stream_id };
    },
  },
  {
    operation: 'removeDefaultChannel',
    given: ({ random, state }) => {
      const stream_id = oneOf(random, state.realm_default_streams as number[]);
      return stream_id === undefined ? undefined : { stream_id };
    },
  },
  {
    operation: 'createDefaultGroup',
    times: 3,
    given: (scene) => ({
      group_name: scene.label('Group of channels'),
      description: scene.label('The purpose of a group'),
      stream_names: namesOf(channelOf(scene)),
    }),
  },
  {
    operation: 'editDefaultGroup',
    given: (scene) => {
      const group = groupOf(scene);
      return group && { group_id: group.id, new_description: scene.label('What else it is for') };
    },
  },
  {
    operation: 'editDefaultGroupChannels',
    times: 2,
    given: (scene) => {
      const [group, channel] = [groupOf(scene), channelOf(scene)];
      if (!group || !channel) return undefined;
      const op = group.streams.includes(channel.stream_id) ? 'remove' : 'add';
      return { group_id: group.id, op, stream_names: namesOf(channel) };
    },
  },
  {
    operation: 'deleteDefaultGroup',
    given: (scene) => {
      const group = groupOf(scene);
      return group && { group_id: group.id };
    },
  },
];

const groupOf = ({ random, state }: Scene): SnapshotData | undefined =>
  oneOf<SnapshotData>(random, state.realm_default_stream_groups);

const namesOf = (channel: SnapshotData | undefined): string[] => (channel ? [channel.name] : []);

const folderActions: Action[] = [
  {
    operation: 'createChannelFolder',
    announces: 'channel_folder/add',
    times: 3,
    given: ({ label }) => ({ name: label('Folder') }),
  },
  {
    operation: 'editChannelFolder',
    announces: 'channel_folder/update',
    given: ({ random, state, label }) => {
      const folder = oneOf(random, state.channel_folders as SnapshotData[]);
      return folder && { channel_folder_id: folder.id, description: label('Folded') };
    },
  },
  {
    operation: 'reorderChannelFolders',
    times: 2,
    given: ({ state }) => {
      const order = (state.channel_folders as SnapshotData[]).map(({ id }) => id);
      return order.length > 1 ? { order: [...order.slice(1), ...order.slice(0, 1)] } : undefined;
    },
  },
];

const subscriptionActions: Action[] = [
  {
    operation: 'subscribe',
    announces: 'stream/create',
    given: (scene) => ({ subscriptions: [{ name: scene.label('Channel') }], principals: [someone(scene)] }),
  },
  {
    operation: 'subscribe',
    times: 8,
    given: (scene) => {
      const channel = channelOf(scene);
      const principals = scene.random.chance(0.6) ? [someone(scene)] : undefined;
      return channel && { subscriptions: [{ name: channel.name }], ...(principals && { principals }) };
    },
  },
  {
    operation: 'unsubscribe',
    times: 5,
    given: (scene) => {
      const channel = ownChannelOf(scene);
      const principals = scene.random.chance(0.5) ? [someone(scene)] : undefined;
      return channel && { subscriptions: [channel.name], ...(principals && { principals }) };
    },
  },
  {
    operation: 'editSubscriptionProperties',
    times: 2,
    given: (scene) => {
      const channel = ownChannelOf(scene);
      const property = scene.random.pick(['pin_to_top', 'is_muted']);
      return (
        channel && {
          subscription_data: [{ stream_id: channel.stream_id, property, value: scene.random.chance(0.6) }],
        }
      );
    },
  },
  {
    operation: 'editSubscription',
    given: (scene) => {
      const channel = ownChannelOf(scene);
      const property = scene.random.pick(['pin_to_top', 'is_muted']);
      return channel && { stream_id: channel.stream_id, property, value: scene.random.chance(0.6) };
    },
  },
  {
    operation: 'setTopicPolicy',
    times: 2,
    given: (scene) => {
      const channel = ownChannelOf(scene);
      return (
        channel && {
          stream_id: channel.stream_id,
          topic: scene.random.pick(['one', 'two']),
          visibility_policy: scene.random.pick([0, 1, 3]),
        }
      );
    },
  },
  {
    operation: 'updateMutedTopic',
    given: (scene) => {
      const channel = ownChannelOf(scene);
      return channel && { stream_id: channel.stream_id, topic: scene.random.pick(['one', 'two']), op: 'add' };
    },
  },
];

/** Actions on channels and their members. */
export const channelActions: Action[] = [...channelLife, ...folderActions, ...subscriptionActions];
