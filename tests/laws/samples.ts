import type { endpoints } from '#functions/routes.ts';
import { roles } from '#shared/domain/users/user.ts';
import { findAccount } from '#shared/store/users.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { PASSWORD, type TestService } from '#tests/harness/service.ts';

/** People and things for the samples to speak of. */
export interface World {
  service: TestService;
  /** Whom the samples act as: the owner may call everything. */
  caller: Client;
  other: Client;
  /** Another owner, so that the caller is not the last. */
  deputy: Client;
  channel: string;
  channelId: number;
  messageId: number;
}

let madeCount = 0;

export async function createWorld(service: TestService): Promise<World> {
  const caller = service.owner;
  const other = await service.createUser('Other');
  const deputy = await service.createUser('Deputy', roles.owner);
  const channelId = await caller.subscribe('room');
  await other.subscribe('room');
  const messageId = await caller.send('room', 'topic', 'hello');
  await service.settle();
  return { service, caller, other, deputy, channel: 'room', channelId, messageId };
}

/** A call may have given the caller another key, or deactivated them. */
export async function restoreCaller({ service, caller, deputy }: World): Promise<void> {
  const account = await findAccount(service.services.table, caller.email);
  if (!account?.isActive) await deputy.post(`/users/${caller.userId}/reactivate`);
  await service.settle();
  caller.apiKey = (await service.clientOf(caller.email)).apiKey;
}

const soon = (): number => Math.floor(Date.now() / 1000) + 86_400;
const scheduleFor = async ({ caller, channelId }: World): Promise<number> => {
  const message = { type: 'channel', to: channelId, topic: 'topic', content: 'later' };
  const { body } = await caller.post('/scheduled_messages', {
    ...message,
    scheduled_delivery_timestamp: soon(),
  });
  return body.scheduled_message_id;
};
const domainOf = async ({ caller }: World): Promise<{ domain: string }> => {
  const domain = `sample${++madeCount}.example.org`;
  await caller.post('/realm/domains', { domain });
  return { domain };
};
const queueOf = async ({ caller }: World): Promise<{ queue_id: string; last_event_id: number }> => {
  const { snapshot, queueId } = await caller.register({ fetch_event_types: ['message'] });
  return { queue_id: queueId, last_event_id: snapshot.last_event_id };
};

/** A person in a channel. */
const sampleUser = async ({ caller, channel }: World): Promise<number> => {
  const email = `sample${++madeCount}@example.com`;
  const { body } = await caller.post('/users', { email, password: PASSWORD, full_name: 'Sample Person' });
  await caller.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel }],
    principals: [body.user_id],
  });
  return body.user_id;
};

const sampleBot = async ({ caller }: World): Promise<number> => {
  const bot = { full_name: 'Sample Bot', short_name: `sample${++madeCount}` };
  return (await caller.post('/bots', bot)).body.user_id;
};
const folderOf = async ({ caller }: World): Promise<number> => {
  const { body } = await caller.post('/channel_folders/create', { name: `sample ${++madeCount}` });
  return body.channel_folder_id;
};

/** A fresh field; there are few at a time, since an organization may not have many. */
const profileFieldOf = async ({ caller }: World, params: Params): Promise<number> => {
  const { body } = await caller.get('/realm/profile_fields');
  for (const { id } of body.custom_fields.slice(2)) await caller.delete(`/realm/profile_fields/${id}`);
  const created = await caller.post('/realm/profile_fields', { name: `sample ${++madeCount}`, ...params });
  return created.body.id;
};

/** For every endpoint the parameters of a call that succeeds and uses whatever the endpoint may use. */
export const samples: Record<keyof typeof endpoints, (world: World) => Params | Promise<Params>> = {
  addDefaultChannel: async ({ caller }) => ({ stream_id: await caller.subscribe(`sample ${++madeCount}`) }),
  archiveChannel: async ({ caller }) => ({ stream_id: await caller.subscribe(`sample ${++madeCount}`) }),
  createChannel: ({ other }) => ({ name: `sample ${++madeCount}`, subscribers: [other.userId] }),
  createChannelFolder: () => ({ name: `sample ${++madeCount}` }),
  editChannel: async ({ caller }) => ({
    stream_id: await caller.subscribe(`sample ${++madeCount}`),
    new_name: `sample ${++madeCount}`,
    is_private: true,
  }),
  editChannelFolder: async (world) => ({
    channel_folder_id: await folderOf(world),
    description: `Edited ${++madeCount}`,
  }),
  editSubscriptionProperties: async ({ caller }) => ({
    subscription_data: [
      { stream_id: await caller.subscribe(`sample ${++madeCount}`), property: 'pin_to_top', value: true },
    ],
  }),
  editSubscriptions: async ({ caller }) => {
    const name = `sample ${++madeCount}`;
    await caller.subscribe(name);
    return { add: [{ name: `sample ${++madeCount}` }], delete: [name] };
  },
  clearOwnProfile: async (world) => {
    const id = await profileFieldOf(world, { field_type: 1 });
    await world.caller.patch('/users/me/profile_data', { data: [{ id, value: 'said' }] });
    return { data: [id] };
  },
  createDomain: () => ({ domain: `sample${++madeCount}.example.org` }),
  createProfileField: () => ({ name: `sample ${++madeCount}`, field_type: 1 }),
  createScheduledMessage: ({ channelId }) => ({
    type: 'channel',
    to: channelId,
    topic: 'topic',
    content: 'later',
    scheduled_delivery_timestamp: soon(),
  }),
  createUser: () => ({
    email: `sample${++madeCount}@example.com`,
    password: PASSWORD,
    full_name: 'Sample Person',
  }),
  deleteDomain: async (world) => {
    const { domain } = await domainOf(world);
    const { body } = await world.caller.get('/realm/domains');
    // Where the last domain goes, its restriction goes as well.
    for (const other of body.domains)
      if (other.domain !== domain) await world.caller.delete(`/realm/domains/${other.domain}`);
    await world.caller.patch('/realm', { emails_restricted_to_domains: true });
    return { domain };
  },
  deleteProfileField: async (world) => ({ field_id: await profileFieldOf(world, { field_type: 1 }) }),
  deleteQueue: async (world) => ({ queue_id: (await queueOf(world)).queue_id }),
  deleteScheduledMessage: async (world) => ({ scheduled_message_id: await scheduleFor(world) }),
  editDomain: async (world) => ({ ...(await domainOf(world)), allow_subdomains: true }),
  editOrganization: ({ channelId }) => ({
    description: `Described ${++madeCount} times`,
    name: `Named ${madeCount} times`,
    new_stream_announcements_stream_id: channelId,
  }),
  editOwnProfile: async (world) => ({
    data: [{ id: await profileFieldOf(world, { field_type: 1 }), value: 'said' }],
  }),
  editProfileField: async (world) => {
    const choices = { a: { text: 'A', order: '1' }, b: { text: 'B', order: '2' } };
    const fieldId = await profileFieldOf(world, { field_type: 3, field_data: choices });
    return { field_id: fieldId, field_data: { a: choices.a } };
  },
  editScheduledMessage: async (world) => ({
    scheduled_message_id: await scheduleFor(world),
    content: 'edited',
    scheduled_delivery_timestamp: soon() + 60,
  }),
  createBot: () => ({ full_name: 'Sample Bot', short_name: `sample${++madeCount}` }),
  deactivateBot: async (world) => {
    const botId = await sampleBot(world);
    const subscriptions = [{ name: world.channel }];
    await world.caller.post('/users/me/subscriptions', { subscriptions, principals: [botId] });
    return { bot_id: botId };
  },
  editBot: async (world) => ({
    bot_id: await sampleBot(world),
    full_name: 'Another Bot',
    bot_owner_id: world.other.userId,
    default_sending_stream: world.channel,
  }),
  getBotApiKey: async (world) => ({ bot_id: await sampleBot(world) }),
  listBots: () => ({}),
  regenerateBotApiKey: async (world) => ({ bot_id: await sampleBot(world) }),
  deactivateOwnUser: () => ({}),
  deactivateUser: async (world) => ({ user_id_or_email: await sampleUser(world) }),
  reactivateUser: async (world) => {
    const userId = await sampleUser(world);
    await world.caller.delete(`/users/${userId}`);
    await world.service.settle();
    return { user_id_or_email: userId };
  },
  editUser: async (world) => ({
    profile_data: [{ id: await profileFieldOf(world, { field_type: 1 }), value: 'said' }],
    user_id_or_email: await sampleUser(world),
    full_name: 'Another Name',
    role: 600,
  }),
  editSettings: () => ({ web_font_size_px: 20 + ++madeCount, timezone: '', allow_private_data_export: true }),
  editUserDefaults: () => ({ web_font_size_px: 20 + ++madeCount }),
  fetchApiKey: async ({ caller }) => {
    const params = { username: caller.email, password: PASSWORD };
    // The right password makes the service forget wrong ones of earlier calls.
    await caller.post('/fetch_api_key', params);
    return params;
  },
  getChannel: ({ channelId }) => ({ stream_id: channelId }),
  getSubscriptionStatus: ({ channelId, other }) => ({ user_id: other.userId, stream_id: channelId }),
  listChannelFolders: () => ({}),
  listChannelsOfUser: ({ other }) => ({ user_id: other.userId }),
  removeDefaultChannel: async ({ caller }) => ({
    stream_id: await caller.subscribe(`sample ${++madeCount}`, { is_default_stream: true }),
  }),
  reorderChannelFolders: async (world) => {
    await folderOf(world);
    const { body } = await world.caller.get('/channel_folders', { include_archived: true });
    const order = body.channel_folders.map(({ id }: { id: number }) => id);
    return { order: [...order.slice(1), ...order.slice(0, 1)] };
  },
  getChannelId: ({ channel }) => ({ stream: channel }),
  getEvents: async (world) => {
    const queue = await queueOf(world);
    // Long enough ago for the poll to prolong the life of the queue.
    world.service.advance(61_000);
    return { ...queue, dont_block: true };
  },
  getMessage: ({ messageId }) => ({ message_id: messageId }),
  getOwnUser: () => ({}),
  getServerSettings: () => ({}),
  getUser: ({ other }) => ({ user_id_or_email: other.userId }),
  listChannelMembers: ({ channelId }) => ({ stream_id: channelId }),
  listChannels: () => ({}),
  listDomains: () => ({}),
  listMessages: () => ({ anchor: 'newest', num_before: 5, num_after: 0 }),
  listProfileFields: () => ({}),
  listScheduledMessages: () => ({}),
  listSubscriptions: () => ({}),
  listTopics: ({ channelId }) => ({ stream_id: channelId }),
  listUsers: () => ({}),
  matchNarrow: ({ messageId }) => ({ msg_ids: [messageId], narrow: [['search', 'hello']] }),
  muteUser: async ({ caller, other }) => {
    await caller.delete(`/users/me/muted_users/${other.userId}`);
    return { muted_user_id: other.userId };
  },
  markAllAsRead: () => ({}),
  markChannelAsRead: async ({ other, channelId }) => {
    await other.send(channelId, 'topic', 'unread');
    return { stream_id: channelId };
  },
  markTopicAsRead: async ({ other, channelId }) => {
    await other.send(channelId, 'topic', 'unread');
    return { stream_id: channelId, topic_name: 'topic' };
  },
  regenerateApiKey: () => ({}),
  registerQueue: () => ({ fetch_event_types: ['message'] }),
  reorderProfileFields: async (world) => {
    await profileFieldOf(world, { field_type: 1 });
    await profileFieldOf(world, { field_type: 1 });
    const { body } = await world.caller.get('/realm/profile_fields');
    return { order: body.custom_fields.map(({ id }: { id: number }) => id).reverse() };
  },
  sendMessage: async ({ caller }) => {
    const channelId = await caller.subscribe(`sample ${++madeCount}`);
    return { type: 'channel', to: channelId, topic: 'topic', content: 'the first of its channel' };
  },
  setTopicPolicy: ({ channelId }) => ({
    stream_id: channelId,
    topic: `sample ${++madeCount}`,
    visibility_policy: 3,
  }),
  subscribe: ({ other }) => ({
    subscriptions: [{ name: `sample ${++madeCount}`, description: 'A sample' }],
    principals: [other.userId],
  }),
  unmuteUser: async ({ caller, other }) => {
    await caller.post(`/users/me/muted_users/${other.userId}`);
    return { muted_user_id: other.userId };
  },
  unsubscribe: async ({ caller }) => {
    const name = `sample ${++madeCount}`;
    await caller.subscribe(name);
    await caller.send(name, 'topic', 'read by nobody');
    return { subscriptions: [name] };
  },
  updateMutedTopic: ({ channelId }) => ({ stream_id: channelId, topic: `sample ${++madeCount}`, op: 'add' }),
  updateMessageFlags: async ({ other, channelId }) => ({
    messages: [await other.send(channelId, 'topic', 'unread')],
    op: 'add',
    flag: 'read',
  }),
  updateMessageFlagsForNarrow: async ({ other, channelId }) => {
    await other.send(channelId, 'topic', 'unread');
    return { anchor: 'newest', num_before: 5, num_after: 0, narrow: [], op: 'add', flag: 'read' };
  },
};
