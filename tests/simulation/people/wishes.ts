import type { Wishes } from './journal.ts';

const MODERN = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  include_deactivated_groups: true,
  individual_emoji_changes: true,
  linkifier_url_template: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  user_list_incomplete: true,
  user_settings_object: true,
};
/** All events, for a client that knows of everything. */
export const everything: Wishes = {
  eventTypes: undefined,
  narrow: [],
  allPublicChannels: false,
  capabilities: MODERN,
  isPatient: true,
};

/** The same for a client that knows of little. */
export const everythingOfOld: Wishes = {
  eventTypes: undefined,
  narrow: [],
  allPublicChannels: false,
  isPatient: true,
};
