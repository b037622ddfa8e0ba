/** The capabilities that a client declared at registration (reference, "Client capability effects"). */
export const capabilityNames = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
] as const;
export type Capability = (typeof capabilityNames)[number];

/** The events that a queue delivers, and their format. */
export interface QueueFilter {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  slimPresence: boolean;
  /** null delivers all types. */
  eventTypes: string[] | null;
  allPublicChannels: boolean;
  /** Pairs of operator and operand; a message must match all of them. */
  narrow: [operator: string, operand: string][];
  capabilities: Capability[];
}

export const hasCapability = (filter: QueueFilter, capability: Capability): boolean =>
  filter.capabilities.includes(capability);
