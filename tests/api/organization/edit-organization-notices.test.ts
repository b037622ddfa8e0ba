import { expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';
import { inTopic, list, newest, term } from '../messages/lists/message-lists.ts';

const service = await startTestService();

/** The settings of a new organization that decide who joins, who sees whom, and how long texts can be edited. */
const cautious = {
  realm_disallow_disposable_email_addresses: true,
  realm_emails_restricted_to_domains: false,
  realm_enable_guest_user_dm_warning: true,
  realm_enable_guest_user_indicator: true,
  realm_enable_read_receipts: true,
  realm_enable_spectator_access: false,
  realm_inline_image_preview: true,
  realm_inline_url_embed_preview: false,
  realm_invite_required: true,
  realm_message_content_delete_limit_seconds: 600,
  realm_message_content_edit_limit_seconds: 600,
  realm_message_edit_history_visibility_policy: 'all',
  realm_message_retention_days: -1,
  realm_move_messages_between_streams_limit_seconds: 7 * 24 * 3600,
  realm_move_messages_within_stream_limit_seconds: 7 * 24 * 3600,
  realm_owner_full_content_access: false,
  realm_presence_disabled: false,
  realm_require_e2ee_push_notifications: false,
  realm_require_unique_names: false,
  realm_send_channel_events_messages: true,
  realm_waiting_period_threshold: 0,
};

test('A new organization requires invitations, has no public access, and keeps messages for ever', async () => {
  const { body } = await service.owner.post('/register', { fetch_event_types: ['realm'] });
  expect(body).toMatchObject(cautious);
});

const contents = async (narrow: unknown[]): Promise<string[]> => {
  const { messages } = await list(service.owner, { ...newest, narrow, apply_markdown: false });
  return messages.map(({ subject, content }: Record<string, string>) => `${subject}: ${content}`);
};

test('A channel for sign-ups gets a notice of every user who joins', async () => {
  await service.createUser('Early');
  await service.settle();
  const channelId = await service.owner.subscribe('front desk');
  await service.owner.patch('/realm', { signup_announcements_stream_id: channelId });
  const late = await service.createUser('Late');
  await service.settle();
  const news = await contents(inTopic(channelId, 'signups'));
  expect(news).toEqual([`signups: @_**Late|${late.userId}** joined this organization.`]);
});

test('No notice of joining users is posted if the organization names no channel', async () => {
  const channelId = await service.owner.subscribe('lobby');
  await service.owner.patch('/realm', { signup_announcements_stream_id: channelId });
  await service.owner.patch('/realm', { signup_announcements_stream_id: -1 });
  await service.createUser('Quiet');
  await service.settle();
  expect(await contents(inTopic(channelId, 'signups'))).toEqual([]);
});

test('The welcome bot adds the text of the organization', async () => {
  await service.owner.patch('/realm', { welcome_message_custom_text: 'Coffee is on the **left**.' });
  const newcomer = await service.createUser('Newcomer');
  await service.settle();
  const { body } = await newcomer.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
  expect(body.messages[0].content).toContain('Coffee is on the <strong>left</strong>.');
});

test('New channels have no opening note if the organization turned it off', async () => {
  await service.owner.patch('/realm', { send_channel_events_messages: false });
  const quiet = await service.owner.subscribe('quiet');
  await service.settle();
  expect(await contents([term('channel', quiet)])).toEqual([]);
  await service.owner.patch('/realm', { send_channel_events_messages: true });
  const loud = await service.owner.subscribe('loud');
  await service.settle();
  expect(await contents([term('channel', loud)])).toHaveLength(1);
});

test('Server settings return the name and the rendered description', async () => {
  await service.owner.patch('/realm', { name: 'Kiln', description: 'We *bake*.' });
  const { body } = await service.owner.get('/server_settings');
  expect(body).toMatchObject({ realm_name: 'Kiln', realm_description: '<p>We <em>bake</em>.</p>' });
});
