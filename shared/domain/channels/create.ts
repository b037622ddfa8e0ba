import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { placeOfUnfit } from '#shared/domain/names.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import {
  type GroupSetting,
  type KnownNames,
  normalizeGroupSetting,
  systemGroups,
} from '#shared/domain/user-groups/group-setting.ts';
import { requireValidSettings } from '#shared/domain/user-groups/valid-setting.ts';
import { isGuest, type User } from '#shared/domain/users/user.ts';
import {
  type Channel,
  type ChannelGroupSetting,
  channelGroupSettings,
  defaultChannelGroups,
  limits,
  type TopicsPolicy,
} from './channel.ts';
import { mayCreate } from './permissions.ts';

/** The settings of channels that a call creates; ignored for existing channels. */
export interface NewChannelSettings {
  isPrivate: boolean;
  isWebPublic: boolean;
  isDefault: boolean;
  isHistoryPublic: boolean | undefined;
  messageRetentionDays: string | number | undefined;
  topicsPolicy: TopicsPolicy;
  defaultPushNotifications?: boolean;
  folderId: number | null;
  groups: Partial<Record<ChannelGroupSetting, GroupSetting>>;
}

/** The trimmed channel name. @throws BadRequest when it is empty, too long, or has forbidden characters */
export function checkChannelName(input: string): string {
  const name = input.trim();
  const characters = [...name];
  if (name === '') throw new BadRequest("Channel name can't be empty.");
  if (characters.length > limits.channelName)
    throw new BadRequest(`Channel name too long (limit: ${limits.channelName} characters).`);
  const unfit = placeOfUnfit(name);
  if (unfit > 0) throw new BadRequest(`Invalid character in channel name, at position ${unfit}.`);
  return name;
}

/** @throws UnauthorizedPrincipal for guests; BadRequest for others who may not create this kind of channel */
export function requireMayCreate(caller: User, isPrivate: boolean, organization: OrganizationGroups): void {
  if (mayCreate(caller, isPrivate, organization)) return;
  throw isGuest(caller) ? new UnauthorizedPrincipal('member') : new BadRequest('Insufficient permission');
}

/** What deployment and organization allow. */
export interface ChannelRules {
  organization: OrganizationGroups;
  /** Deployment and organization have web-public channels. */
  allowsWebPublic: boolean;
}

/** @throws BadRequest when web-public channels are disabled or the caller may not create one */
export function requireMayBeWebPublic(caller: User, { organization, allowsWebPublic }: ChannelRules): void {
  if (!allowsWebPublic) throw new BadRequest('Web-public channels are not enabled.');
  if (!isPermitted(caller, permissions.createWebPublicChannel, { organization }))
    throw new BadRequest('Insufficient permission');
}

/** @throws BadRequest when the caller may not set these channel settings at all */
export function requireMaySet(
  caller: User,
  asked: { topicsPolicy: boolean; deletion: boolean },
  organization: OrganizationGroups,
): void {
  const isAllowed =
    (!asked.topicsPolicy || isPermitted(caller, permissions.setTopicsPolicy, { organization })) &&
    (!asked.deletion || isPermitted(caller, permissions.setDeletionPolicy, { organization }));
  if (!isAllowed) throw new BadRequest('Insufficient permission');
}

/** The channel settings that control deletion of messages. */
export const deletionSettings: ChannelGroupSetting[] = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
];

/** @throws BadRequest or UnauthorizedPrincipal when the caller may not create such a channel */
export function checkNewChannelSettings(
  caller: User,
  settings: NewChannelSettings,
  rules: ChannelRules,
): void {
  const { organization } = rules;
  const { isPrivate, isWebPublic, isHistoryPublic, groups } = settings;
  requireMayCreate(caller, isPrivate, organization);
  if (isWebPublic) requireMayBeWebPublic(caller, rules);
  if (isWebPublic && isPrivate) throw new BadRequest('Invalid parameters');
  const setsDeletion = deletionSettings.some(
    (name) => groups[name] !== undefined && normalizeGroupSetting(groups[name]) !== systemGroups.nobody,
  );
  requireMaySet(
    caller,
    { topicsPolicy: settings.topicsPolicy !== 'inherit', deletion: setsDeletion },
    organization,
  );
  if (settings.isDefault && settings.isPrivate) throw new BadRequest('A default channel cannot be private.');
  if (settings.isDefault && !isPermitted(caller, permissions.setDefaultChannels, {}))
    throw new BadRequest('Insufficient permission');
  if (settings.defaultPushNotifications && !isPermitted(caller, permissions.setDefaultPushNotifications, {}))
    throw new BadRequest('Insufficient permission');
  if (!isPrivate && isHistoryPublic === false) throw new BadRequest('Invalid parameters');
  if (settings.messageRetentionDays !== undefined && !isPermitted(caller, permissions.setRetention, {}))
    throw new UnauthorizedPrincipal('owner');
  readRetentionDays(settings.messageRetentionDays);
}

/** @throws BadRequest for groups that the settings may not name, and for unknown users and groups */
export const checkGroupSettings = (settings: Pick<NewChannelSettings, 'groups'>, known: KnownNames): void =>
  requireValidSettings('channel', settings.groups, known);

export interface NewChannel {
  channelId: number;
  name: string;
  /** Made one line by `toDescription`. */
  description: string;
  descriptionHtml: string;
  creatorId: number;
  subscriberCount: number;
  nowSeconds: number;
}

/** A description is one line. */
export const toDescription = (input: string): string => input.replace(/\s*\n\s*/g, ' ').trim();

/** The new channel with the requested settings. */
export function createChannel(input: NewChannel, settings: NewChannelSettings): Channel {
  const groups = { ...defaultChannelGroups(input.creatorId) };
  for (const name of channelGroupSettings) {
    const asked = settings.groups[name];
    if (asked !== undefined) groups[name] = normalizeGroupSetting(asked);
  }
  return {
    channelId: input.channelId,
    name: input.name,
    description: input.description,
    descriptionHtml: input.descriptionHtml,
    createdAtSeconds: input.nowSeconds,
    creatorId: input.creatorId,
    isPrivate: settings.isPrivate,
    isWebPublic: settings.isWebPublic,
    isArchived: false,
    isHistoryPublic: settings.isPrivate ? (settings.isHistoryPublic ?? false) : true,
    firstMessageId: null,
    lastActiveAtSeconds: input.nowSeconds,
    folderId: settings.folderId,
    topicsPolicy: settings.topicsPolicy,
    ...(settings.defaultPushNotifications && { defaultPushNotifications: true }),
    messageRetentionDays: readRetentionDays(settings.messageRetentionDays),
    subscriberCount: input.subscriberCount,
    groups,
  };
}

/** null inherits the organization's rule, -1 keeps messages forever. */
export function readRetentionDays(input: string | number | undefined): number | null {
  if (input === undefined || input === 'realm_default') return null;
  if (input === 'unlimited') return -1;
  if (typeof input === 'number' && input > 0) return input;
  throw new BadRequest(`Bad value for 'message_retention_days': ${input}`);
}
