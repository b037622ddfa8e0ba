import type { endpoints } from '#functions/routes.ts';
import { derivePasswordResetKey } from '#shared/api/auth/password-reset-key.ts';
import { passwordResetWrite } from '#shared/store/users/password-resets.ts';
import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';
import type { Params } from '#tests/harness/client.ts';
import { signToken } from '#tests/harness/json-web-token.ts';
import { PASSWORD } from '#tests/harness/service.ts';
import { channelSamples } from './channel-samples.ts';
import { exportSamples } from './export-samples.ts';
import { feedSamples } from './feed-samples.ts';
import { gifSamples } from './gif-samples.ts';
import { invitationSamples } from './invitation-samples.ts';
import { messageSamples, soon } from './message-samples.ts';
import { oauthSamples } from './oauth-samples.ts';
import { ownSamples } from './own-samples.ts';
import { pictureSamples } from './picture-samples.ts';
import { presenceSamples } from './presence-samples.ts';
import { pushSamples } from './push-samples.ts';
import { textSamples } from './text-samples.ts';
import { uploadSamples } from './upload-samples.ts';
import { userSamples } from './user-samples.ts';

const scheduleFor = async (world: World): Promise<number> => {
  const { caller, channelId } = world;
  const message = { type: 'channel', to: channelId, topic: 'topic', content: 'later' };
  const { body } = await caller.post('/scheduled_messages', {
    ...message,
    scheduled_delivery_timestamp: soon(world),
  });
  return body.scheduled_message_id;
};
const domainOf = async ({ caller, nextNumber }: World): Promise<{ domain: string }> => {
  const domain = `sample${nextNumber()}.example.org`;
  await caller.post('/realm/domains', { domain });
  return { domain };
};
const queueOf = async ({ caller }: World): Promise<{ queue_id: string; last_event_id: number }> => {
  const { snapshot, queueId } = await caller.register({ fetch_event_types: ['message'] });
  return { queue_id: queueId, last_event_id: snapshot.last_event_id };
};

const folderOf = async ({ caller, nextNumber }: World): Promise<number> => {
  const { body } = await caller.post('/channel_folders/create', { name: `sample ${nextNumber()}` });
  return body.channel_folder_id;
};
const groupOf = async ({ caller, other, nextNumber }: World): Promise<number> => {
  const name = `sample group ${nextNumber()}`;
  const { body } = await caller.post('/user_groups/create', {
    name,
    description: '',
    members: [other.userId],
  });
  return body.group_id;
};

const groupToRead = (world: World): Promise<number> => keep(world, 'a group to read', () => groupOf(world));

/** A fresh field; there are few at a time, since an organization may not have many. */
const profileFieldOf = async ({ caller, nextNumber }: World, params: Params): Promise<number> => {
  const { body } = await caller.get('/realm/profile_fields');
  for (const { id } of body.custom_fields.slice(2)) await caller.delete(`/realm/profile_fields/${id}`);
  const created = await caller.post('/realm/profile_fields', { name: `sample ${nextNumber()}`, ...params });
  return created.body.id;
};

/** Every setting that has consequences of its own is changed. */
async function otherSettings({ caller, nextNumber }: World) {
  await caller.patch('/settings', { enable_drafts_synchronization: true });
  return {
    web_font_size_px: 20 + nextNumber(),
    timezone: '',
    allow_private_data_export: true,
    enable_drafts_synchronization: false,
  };
}

/** For every endpoint the parameters of a call that succeeds and uses whatever the endpoint may use. */
export const samples: Record<keyof typeof endpoints, (world: World) => Params | Promise<Params>> = {
  ...channelSamples,
  ...textSamples,
  ...exportSamples,
  ...feedSamples,
  ...gifSamples,
  ...pushSamples,
  ...invitationSamples,
  ...messageSamples,
  ...oauthSamples,
  ...ownSamples,
  ...pictureSamples,
  ...uploadSamples,
  ...userSamples,
  ...presenceSamples,
  getApiDocument: () => ({}),
  createChannelFolder: ({ nextNumber }) => ({ name: `sample ${nextNumber()}` }),
  editChannelFolder: async (world) => ({
    channel_folder_id: await folderOf(world),
    description: `Edited ${world.nextNumber()}`,
  }),
  clearOwnProfile: async (world) => {
    const id = await profileFieldOf(world, { field_type: 1 });
    await world.caller.patch('/users/me/profile_data', { data: [{ id, value: 'said' }] });
    return { data: [id] };
  },
  createBigBlueButtonCall: () => ({ meeting_name: 'general meeting', voice_only: true }),
  createZoomCall: () => ({ is_video_call: false }),
  checkCompatibility: () => ({}),
  getBigBlueButtonCall: () => ({ meeting_name: 'general meeting' }),
  joinBigBlueButtonCall: async ({ caller }) => {
    const { body } = await caller.post('/calls/bigbluebutton/create', { meeting_name: 'meeting' });
    return Object.fromEntries(new URL(body.url, caller.url).searchParams);
  },
  receiveWebhook: ({ channelId }) => ({
    integration: 'slack_incoming',
    stream: channelId,
    payload: '{"text": "sample"}',
  }),
  createDomain: ({ nextNumber }) => ({ domain: `sample${nextNumber()}.example.org` }),
  createProfileField: ({ nextNumber }) => ({ name: `sample ${nextNumber()}`, field_type: 1 }),
  createScheduledMessage: (world) => ({
    type: 'channel',
    to: world.channelId,
    topic: 'topic',
    content: 'later',
    scheduled_delivery_timestamp: soon(world),
  }),
  deactivateOrganization: () => ({ deletion_delay_days: 30 }),
  testWelcomeMessage: () => ({ welcome_message_custom_text: 'Read the rules first.' }),
  createUser: ({ nextNumber }) => ({
    email: `sample${nextNumber()}@example.com`,
    password: PASSWORD,
    full_name: 'Sample Person',
  }),
  createUserGroup: ({ other, nextNumber }) => ({
    name: `sample group ${nextNumber()}`,
    description: 'A sample',
    members: [other.userId],
    subgroups: [4],
    can_join_group: 6,
  }),
  deactivateUserGroup: async (world) => ({ user_group_id: await groupOf(world) }),
  deleteDomain: async (world) => {
    const { domain } = await domainOf(world);
    const { body } = await world.caller.get('/realm/domains');
    // Removing the last domain also removes its restriction.
    for (const other of body.domains)
      if (other.domain !== domain) await world.caller.delete(`/realm/domains/${other.domain}`);
    await world.caller.patch('/realm', { emails_restricted_to_domains: true });
    return { domain };
  },
  deleteProfileField: async (world) => ({ field_id: await profileFieldOf(world, { field_type: 1 }) }),
  deleteQueue: async (world) => ({ queue_id: (await queueOf(world)).queue_id }),
  deleteScheduledMessage: async (world) => ({ scheduled_message_id: await scheduleFor(world) }),
  editDomain: async (world) => ({ ...(await domainOf(world)), allow_subdomains: true }),
  editOrganization: ({ channelId, nextNumber }) => ({
    description: `Described ${nextNumber()} times`,
    name: `Named ${nextNumber()} times`,
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
    scheduled_delivery_timestamp: soon(world) + 60,
  }),
  editUserGroup: async (world) => ({
    user_group_id: await groupOf(world),
    name: `sample group ${world.nextNumber()}`,
    can_join_group: { new: 6, old: 1 },
  }),
  editUserGroupMembers: async (world) => {
    const { caller, other } = world;
    const { body } = await caller.post('/user_groups/create', {
      name: `sample group ${world.nextNumber()}`,
      description: '',
      members: [],
    });
    return { user_group_id: body.group_id, add: [other.userId, caller.userId], add_subgroups: [4] };
  },
  editUserGroupSubgroups: async (world) => ({
    user_group_id: await groupOf(world),
    add: [4, await groupOf(world)],
  }),
  markOnboardingStep: () => ({ onboarding_step: 'intro_inbox_view_modal' }),
  runZcommand: ({ nextNumber }) => ({ command: nextNumber() % 2 === 0 ? '/dark' : '/light' }),
  reportCspViolation: () => ({ body: '{"csp-report": {"effective-directive": "img-src"}}' }),
  editDisplaySettings: otherSettings,
  editNotificationSettings: otherSettings,
  editSettings: otherSettings,
  editUserDefaults: ({ nextNumber }) => ({ web_font_size_px: 20 + nextNumber() }),
  fetchApiKey: async ({ caller }) => {
    const params = { username: caller.email, password: PASSWORD };
    // The right password makes the service forget wrong ones of earlier calls.
    await caller.post('/fetch_api_key', params);
    return params;
  },
  // The first key of an account is written down.
  fetchApiKeyByJwt: async ({ caller, nextNumber }) => {
    const email = `token${nextNumber()}@example.com`;
    await caller.post('/users', { email, password: PASSWORD, full_name: 'Token' });
    return { token: signToken({ email }), include_profile: true };
  },
  signIn: ({ caller }) => ({ username: caller.email, password: PASSWORD }),
  // Few mails go to one address.
  askForPasswordReset: ({ nextNumber }) => ({ email: `forgot${nextNumber()}@example.com` }),
  resetPassword: async (world) => {
    const { table, clock, ids, secret } = world.service.services;
    const { userId } = await keep(world, 'who forgot a password', () =>
      world.service.createUser('Forgetful'),
    );
    const expiresAtSeconds = Math.floor(clock.nowMs() / 1000) + 3600;
    const reset = { userId, salt: ids.uuid(), expiresAtSeconds };
    await table.write(passwordResetWrite(reset));
    return { key: derivePasswordResetKey(await secret(), reset), password: PASSWORD };
  },
  signOut: async ({ caller }) => {
    await caller.post('/session', { username: caller.email, password: PASSWORD });
    return {};
  },
  getChannel: ({ channelId }) => ({ stream_id: channelId }),
  getSubscriptionStatus: ({ channelId, other }) => ({ user_id: other.userId, stream_id: channelId }),
  listChannelFolders: () => ({}),
  listChannelsOfUser: ({ other }) => ({ user_id: other.userId }),
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
  listReadReceipts: ({ messageId }) => ({ message_id: messageId }),
  getMessage: ({ messageId }) => ({ message_id: messageId }),
  getOwnUser: () => ({}),
  getServerSettings: () => ({}),
  getUserGroupMembership: async (world) => ({
    user_group_id: await groupToRead(world),
    user_id: world.other.userId,
  }),
  listChannelMembers: ({ channelId }) => ({ stream_id: channelId }),
  listChannels: () => ({}),
  listConversations: () => ({ limit: 5 }),
  listDomains: () => ({}),
  listMessages: () => ({ anchor: 'newest', num_before: 5, num_after: 0 }),
  listProfileFields: () => ({}),
  listScheduledMessages: () => ({}),
  listSubscriptions: () => ({}),
  listTopics: ({ channelId }) => ({ stream_id: channelId }),
  listUserGroupMembers: async (world) => ({ user_group_id: await groupToRead(world) }),
  listUserGroupSubgroups: async (world) => ({ user_group_id: await groupToRead(world) }),
  listUserGroups: () => ({}),
  listUsers: () => ({}),
  renderMessage: () => ({ content: '**hello** :smile:' }),
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
  setTopicPolicy: ({ channelId, nextNumber }) => ({
    stream_id: channelId,
    topic: `sample ${nextNumber()}`,
    visibility_policy: 3,
  }),
  unmuteUser: async ({ caller, other }) => {
    await caller.post(`/users/me/muted_users/${other.userId}`);
    return { muted_user_id: other.userId };
  },
  updateMutedTopic: ({ channelId, nextNumber }) => ({
    stream_id: channelId,
    topic: `sample ${nextNumber()}`,
    op: 'add',
  }),
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
