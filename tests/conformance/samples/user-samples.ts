import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';
import { PASSWORD } from '#tests/harness/service.ts';

/** A person in a channel, and in a group. */
async function makePerson({ caller, channel, nextNumber }: World): Promise<number> {
  const name = `person${nextNumber()}`;
  const account = { email: `${name}@example.com`, password: PASSWORD, full_name: 'Sample Person' };
  const { body } = await caller.post('/users', account);
  const principals = [body.user_id];
  await caller.post('/users/me/subscriptions', { subscriptions: [{ name: channel }], principals });
  await caller.post('/user_groups/create', { name, description: '', members: principals });
  return body.user_id;
}

/** Always the same one, who is restored if a call deactivated them: into the channel and the group as well. */
async function activePerson(world: World): Promise<number> {
  const userId = await keep(world, 'a person', () => makePerson(world));
  await world.caller.post(`/users/${userId}/reactivate`);
  await world.service.settle();
  return userId;
}

async function botOf({ caller, nextNumber }: World): Promise<number> {
  const bot = { full_name: 'Sample Bot', short_name: `bot${nextNumber()}` };
  return (await caller.post('/bots', bot)).body.user_id;
}

async function profileFieldOf({ caller, nextNumber }: World): Promise<number> {
  const { body } = await caller.get('/realm/profile_fields');
  const [field] = body.custom_fields;
  if (field?.type === 1) return field.id;
  const params = { name: `about ${nextNumber()}`, field_type: 1 };
  return (await caller.post('/realm/profile_fields', params)).body.id;
}

/** The samples of operations on users and bots. */
export const userSamples = {
  createBot: ({ nextNumber }: World) => ({ full_name: 'Sample Bot', short_name: `bot${nextNumber()}` }),
  deleteBotStorage: async ({ caller }: World) => {
    await caller.put('/bot_storage', { storage: { done: 'yes' } });
    return {};
  },
  getBotStorage: async ({ caller }: World) => {
    await caller.put('/bot_storage', { storage: { turn: '4' } });
    return {};
  },
  updateBotStorage: ({ nextNumber }: World) => ({ storage: { turn: `${nextNumber()}` } }),
  deactivateBot: async (world: World) => {
    const botId = await botOf(world);
    const subscriptions = [{ name: world.channel }];
    await world.caller.post('/users/me/subscriptions', { subscriptions, principals: [botId] });
    return { bot_id: botId };
  },
  deactivateOwnUser: () => ({}),
  deactivateUser: async (world: World) => ({ user_id_or_email: await activePerson(world) }),
  editBot: async (world: World) => ({
    bot_id: await botOf(world),
    full_name: 'Another Bot',
    short_name: `renamed${world.nextNumber()}`,
    bot_owner_id: world.other.userId,
    default_sending_stream: world.channel,
  }),
  editUser: async (world: World) => {
    const userId = await activePerson(world);
    await world.caller.patch(`/users/${userId}`, { full_name: 'Sample Person', role: 400 });
    return {
      user_id_or_email: userId,
      full_name: 'Another Name',
      role: 600,
      profile_data: [{ id: await profileFieldOf(world), value: `said ${world.nextNumber()}` }],
    };
  },
  getBotApiKey: async (world: World) => ({ bot_id: await keep(world, 'a bot', () => botOf(world)) }),
  getBotWebhook: async (world: World) => ({ bot_id: await keep(world, 'a bot', () => botOf(world)) }),
  getUser: ({ other }: World) => ({ user_id_or_email: other.userId }),
  listBots: () => ({}),
  reactivateUser: async (world: World) => {
    const userId = await activePerson(world);
    await world.caller.delete(`/users/${userId}`);
    await world.service.settle();
    return { user_id_or_email: userId };
  },
  regenerateBotApiKey: async (world: World) => ({ bot_id: await botOf(world) }),
};
