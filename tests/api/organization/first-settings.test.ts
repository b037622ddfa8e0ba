import { expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';

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
  const service = await startTestService();
  const { body } = await service.owner.post('/register', { fetch_event_types: ['realm'] });
  expect(body).toMatchObject(cautious);
});
