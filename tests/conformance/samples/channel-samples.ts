import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';

const newName = ({ nextNumber }: World): string => `sample ${nextNumber()}`;

interface Channel {
  id: number;
  name: string;
}

/** Together they cost little more than one. */
const MADE_AT_ONCE = 6;
const unused = new WeakMap<World, Channel[]>();

/** A channel of the caller's alone that no user did anything with. */
export async function freshChannel(world: World): Promise<Channel> {
  const channels = unused.get(world) ?? [];
  unused.set(world, channels);
  if (channels.length === 0) channels.push(...(await makeChannels(world)));
  return channels.pop()!;
}

async function makeChannels(world: World): Promise<Channel[]> {
  const { caller } = world;
  const names = Array.from({ length: MADE_AT_ONCE }, () => newName(world));
  await caller.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) });
  const { body } = await caller.get('/users/me/subscriptions');
  return body.subscriptions
    .filter(({ name }: Channel) => names.includes(name))
    .map(({ stream_id: id, name }: { stream_id: number; name: string }) => ({ id, name }));
}

/** One that a sample uses again and again. */
const ownChannel = (world: World, purpose: string): Promise<Channel> =>
  keep(world, purpose, () => freshChannel(world));

/** A channel that the caller is in, whatever calls did before. */
async function channelToLeave(world: World): Promise<string> {
  const { name } = await ownChannel(world, 'a channel to leave');
  await world.caller.post('/users/me/subscriptions', { subscriptions: [{ name }] });
  return name;
}

/** The channel of reports, which is private. */
const moderationChannel = (world: World) =>
  keep(world, 'the channel of the moderators', async () => {
    const channelId = await world.caller.subscribe(newName(world), { invite_only: true });
    await world.caller.patch('/realm', { moderation_request_channel_id: channelId });
  });

const defaultGroupsOf = async ({ caller }: World): Promise<{ id: number }[]> =>
  (await caller.register({ fetch_event_types: ['default_stream_groups'] })).snapshot
    .realm_default_stream_groups;

async function removeDefaultGroups(world: World): Promise<void> {
  for (const { id } of await defaultGroupsOf(world))
    await world.caller.delete(`/default_stream_groups/${id}`);
}

/** The only group there is, fresh. */
async function defaultGroupOf(world: World): Promise<number> {
  await removeDefaultGroups(world);
  const { name } = await ownChannel(world, 'a channel of a group');
  const params = { group_name: newName(world), description: 'A sample', stream_names: [name] };
  await world.caller.post('/default_stream_groups/create', params);
  const [group] = await defaultGroupsOf(world);
  return group?.id ?? 0;
}

/** Samples of channels and their members. */
export const channelSamples = {
  addDefaultChannel: async (world: World) => {
    const { id } = await ownChannel(world, 'a channel by default');
    await world.caller.delete('/default_streams', { stream_id: id });
    return { stream_id: id };
  },
  archiveChannel: async (world: World) => ({ stream_id: (await freshChannel(world)).id }),
  createDefaultGroup: async (world: World) => {
    await removeDefaultGroups(world);
    return {
      group_name: newName(world),
      description: 'A sample',
      stream_names: [(await ownChannel(world, 'a channel of a group')).name],
    };
  },
  deleteDefaultGroup: async (world: World) => ({ group_id: await defaultGroupOf(world) }),
  editDefaultGroup: async (world: World) => ({
    group_id: await defaultGroupOf(world),
    new_group_name: newName(world),
    new_description: 'Another sample',
  }),
  editDefaultGroupChannels: async (world: World) => ({
    group_id: await defaultGroupOf(world),
    op: 'add',
    stream_names: [(await ownChannel(world, 'a channel for a group')).name],
  }),
  createChannel: (world: World) => ({ name: newName(world), subscribers: [world.other.userId] }),
  editChannel: async (world: World) => ({
    stream_id: (await freshChannel(world)).id,
    new_name: newName(world),
    is_private: true,
  }),
  editSubscription: async (world: World) => {
    const { id } = await ownChannel(world, 'a channel to pin');
    const pin = (value: boolean) => ({ stream_id: id, property: 'pin_to_top', value });
    await world.caller.patch(`/users/me/subscriptions/${id}`, pin(false));
    return pin(true);
  },
  getChannelEmailAddress: ({ channelId }: World) => ({ stream_id: channelId }),
  editSubscriptionProperties: async (world: World) => {
    const { id } = await ownChannel(world, 'a channel to pin');
    const pin = (value: boolean) => ({
      subscription_data: [{ stream_id: id, property: 'pin_to_top', value }],
    });
    await world.caller.post('/users/me/subscriptions/properties', pin(false));
    return pin(true);
  },
  removeDefaultChannel: async (world: World) => {
    const { id } = await ownChannel(world, 'a channel by default');
    await world.caller.post('/default_streams', { stream_id: id });
    return { stream_id: id };
  },
  reportMessage: async (world: World) => {
    await moderationChannel(world);
    return { message_id: world.messageId, report_type: 'spam', description: 'A sample' };
  },
  sendMessage: async (world: World) => {
    const { id } = await freshChannel(world);
    return { type: 'channel', to: id, topic: 'topic', content: 'the first of its channel' };
  },
  subscribe: (world: World) => ({
    subscriptions: [{ name: newName(world), description: 'A sample' }],
    principals: [world.other.userId],
  }),
  unsubscribe: async (world: World) => {
    const name = await channelToLeave(world);
    await world.caller.send(name, 'topic', 'unread');
    return { subscriptions: [name] };
  },
};
