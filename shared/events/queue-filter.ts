/** What a client can handle, as it said when it registered (reference, "Client capability effects"). */
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

/** Which events a queue delivers, and in which shape. */
export interface QueueFilter {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  slimPresence: boolean;
  /** null delivers every type. */
  eventTypes: string[] | null;
  allPublicChannels: boolean;
  /** Operator and operand pairs that a message must all fulfil. */
  narrow: [operator: string, operand: string][];
  capabilities: Capability[];
}

export const hasCapability = (filter: QueueFilter, capability: Capability): boolean =>
  filter.capabilities.includes(capability);
