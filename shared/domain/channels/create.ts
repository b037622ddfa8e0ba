import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import {
  type GroupSetting,
  type KnownNames,
  normalizeGroupSetting,
} from '#shared/domain/groups/group-setting.ts';
import { requireValidSettings } from '#shared/domain/groups/valid-setting.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { isAdministrator, isGuest, isOwner, type User } from '#shared/domain/users/user.ts';
import { renderMarkdown } from '#shared/markdown/render.ts';
import {
  type Channel,
  type ChannelGroupSetting,
  channelGroupSettings,
  defaultChannelGroups,
  limits,
  type TopicsPolicy,
} from './channel.ts';
import { mayCreate } from './permissions.ts';

/** The settings of channels that a call creates; they are ignored for channels that exist. */
export interface NewChannelSettings {
  isPrivate: boolean;
  isWebPublic: boolean;
  isDefault: boolean;
  isHistoryPublic: boolean | undefined;
  messageRetentionDays: string | number | undefined;
  topicsPolicy: TopicsPolicy;
  folderId: number | null;
  groups: Partial<Record<ChannelGroupSetting, GroupSetting>>;
}

const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Cn}]/u;

/**
 * A channel name without white space around it.
 * @throws BadRequest when it is empty, too long, or has control, unassigned or surrogate characters
 */
export function checkChannelName(given: string): string {
  const name = given.trim();
  const characters = [...name];
  if (name === '') throw new BadRequest("Channel name can't be empty.");
  if (characters.length > limits.channelName)
    throw new BadRequest(`Channel name too long (limit: ${limits.channelName} characters).`);
  const forbidden = characters.findIndex((character) => FORBIDDEN.test(character));
  if (forbidden >= 0)
    throw new BadRequest(`Invalid character in channel name, at position ${forbidden + 1}.`);
  return name;
}

/** @throws UnauthorizedPrincipal for guests, BadRequest for others who may not create channels of the kind */
export function requireMayCreate(caller: User, isPrivate: boolean, organization: OrganizationGroups): void {
  if (mayCreate(caller, isPrivate, organization)) return;
  throw isGuest(caller) ? new UnauthorizedPrincipal('member') : new BadRequest('Insufficient permission');
}

/** @throws BadRequest or UnauthorizedPrincipal when the caller may not create such a channel */
export function checkNewChannelSettings(
  caller: User,
  settings: NewChannelSettings,
  organization: OrganizationGroups,
): void {
  requireMayCreate(caller, settings.isPrivate, organization);
  if (settings.isWebPublic) throw new BadRequest('Web-public channels are not enabled.');
  if (settings.isDefault && settings.isPrivate) throw new BadRequest('A default channel cannot be private.');
  if (settings.isDefault && !isAdministrator(caller)) throw new BadRequest('Insufficient permission');
  if (!settings.isPrivate && settings.isHistoryPublic === false) throw new BadRequest('Invalid parameters');
  if (settings.folderId !== null) throw new BadRequest('Invalid channel folder ID');
  if (settings.messageRetentionDays !== undefined && !isOwner(caller))
    throw new UnauthorizedPrincipal('owner');
  readRetentionDays(settings.messageRetentionDays);
}

/** @throws BadRequest for groups that the settings may not name, and for unknown users and groups */
export const checkGroupSettings = (settings: Pick<NewChannelSettings, 'groups'>, known: KnownNames): void =>
  requireValidSettings('channel', settings.groups, known);

export interface NewChannel {
  channelId: number;
  name: string;
  description: string;
  creatorId: number;
  subscriberCount: number;
  nowSeconds: number;
}

/** The channel that comes into being, with what its creator asked for. */
export function createChannel(given: NewChannel, settings: NewChannelSettings): Channel {
  const description = given.description.replace(/\s*\n\s*/g, ' ').trim();
  const groups = { ...defaultChannelGroups(given.creatorId) };
  for (const name of channelGroupSettings) {
    const asked = settings.groups[name];
    if (asked !== undefined) groups[name] = normalizeGroupSetting(asked);
  }
  return {
    channelId: given.channelId,
    name: given.name,
    description,
    descriptionHtml: renderMarkdown(description),
    createdAtSeconds: given.nowSeconds,
    creatorId: given.creatorId,
    isPrivate: settings.isPrivate,
    isWebPublic: false,
    isArchived: false,
    isHistoryPublic: settings.isPrivate ? (settings.isHistoryPublic ?? false) : true,
    firstMessageId: null,
    lastActiveAtSeconds: given.nowSeconds,
    folderId: null,
    topicsPolicy: settings.topicsPolicy,
    messageRetentionDays: readRetentionDays(settings.messageRetentionDays),
    subscriberCount: given.subscriberCount,
    groups,
  };
}

/** null inherits the organization's rule, -1 keeps for ever. */
function readRetentionDays(given: string | number | undefined): number | null {
  if (given === undefined || given === 'realm_default') return null;
  if (given === 'unlimited') return -1;
  if (typeof given === 'number' && given > 0) return given;
  throw new BadRequest(`Bad value for 'message_retention_days': ${given}`);
}
