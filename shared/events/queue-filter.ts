import type { Account } from '#shared/domain/users/user.ts';

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
  /** Types that the queue never delivers, because it was registered with an API token. */
  withheldTypes?: readonly string[];
  /** The only channels whose messages the queue delivers, because its API token is limited to them. */
  onlyChannels?: readonly number[];
}

/** What holds credentials of others, and is not for API tokens. */
const SECRET_TYPES: readonly string[] = ['realm_bot', 'realm_export'];
/** All that is about single messages: the types that queues of tokens with limited channels deliver. */
const MESSAGE_TYPES: readonly string[] = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'submessage',
];

/** The restrictions that an API token, possibly limited to channels, puts on a requested queue. */
export const limitsOfToken = ({ token, onlyChannels }: Pick<Account, 'token' | 'onlyChannels'>) => ({
  ...(token && { withheldTypes: SECRET_TYPES }),
  ...(onlyChannels && { onlyChannels }),
});

/** The requested types that a queue with these limits delivers; null requests all. */
export function withinLimits(
  { withheldTypes = [], onlyChannels }: Pick<QueueFilter, 'withheldTypes' | 'onlyChannels'>,
  types: string[] | null,
): string[] | null {
  const allowed = onlyChannels ? (types ?? [...MESSAGE_TYPES]).filter(isOfMessages) : types;
  return allowed?.filter((type) => !withheldTypes.includes(type)) ?? null;
}

const isOfMessages = (type: string): boolean => MESSAGE_TYPES.includes(type);

export const hasCapability = (filter: QueueFilter, capability: Capability): boolean =>
  filter.capabilities.includes(capability);
