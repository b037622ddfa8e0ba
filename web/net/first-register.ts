/**
 * Asks to register at once, while the rest of the scripts still loads. This file imports nothing, so that the page can run it
 * before all others.
 */

const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
  individual_emoji_changes: true,
};

export const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: true,
  slim_presence: true,
  include_subscribers: true,
  client_capabilities: CAPABILITIES,
};

const post = (): Promise<Response> => {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(REGISTRATION)) body.set(name, JSON.stringify(value));
  return fetch('/api/v1/register', { method: 'POST', body, credentials: 'same-origin' });
};

let first = location.pathname === '/' ? post() : undefined;
// Its failure is told to the one who takes it.
first?.catch(() => undefined);

/** The reply to the first call, for the one who asks first; undefined afterwards. */
export function takeFirstReply(): Promise<Response> | undefined {
  const taken = first;
  first = undefined;
  return taken;
}
