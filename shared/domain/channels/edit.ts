import { BadRequest, ExpectationMismatch, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import {
  type GroupSetting,
  isSameSetting,
  normalizeGroupSetting,
} from '#shared/domain/user-groups/group-setting.ts';
import type { User } from '#shared/domain/users/user.ts';
import {
  type Channel,
  type ChannelGroupSetting,
  channelGroupSettings,
  type TopicsPolicy,
} from './channel.ts';
import {
  type ChannelRules,
  checkChannelName,
  deletionSettings,
  readRetentionDays,
  requireMayBeWebPublic,
  requireMaySet,
  toDescription,
} from './create.ts';
import { mayCreate, mayEdit, mayReachContent } from './permissions.ts';

/** The requested state of a channel; absent fields stay. */
export interface ChannelEdit {
  name?: string | undefined;
  description?: string | undefined;
  isPrivate?: boolean | undefined;
  isWebPublic?: boolean | undefined;
  isHistoryPublic?: boolean | undefined;
  isDefault?: boolean | undefined;
  /** Archiving has its own operation. */
  isArchived?: false | undefined;
  messageRetentionDays?: string | number | undefined;
  topicsPolicy?: TopicsPolicy | undefined;
  defaultPushNotifications?: boolean | undefined;
  folderId?: number | null | undefined;
  groups: Partial<Record<ChannelGroupSetting, { new: GroupSetting; old?: GroupSetting | undefined }>>;
}

/** Settings that control who may read the channel: changing them requires that right. */
const needContent: ChannelGroupSetting[] = ['can_add_subscribers_group', 'can_subscribe_group'];

/**
 * The channel after the edit, except for the HTML of its description. Names, folders and groups are checked
 * where they are stored.
 * @throws BadRequest, UnauthorizedPrincipal or ExpectationMismatch
 */
export function editChannel(
  caller: User,
  view: ChannelView,
  edit: ChannelEdit,
  { isDefault, isForReports, ...rules }: ChannelRules & { isDefault: boolean; isForReports: boolean },
): Channel {
  const { channel } = view;
  requireMayEdit(caller, view, edit, rules);
  const privacy = readPrivacy(channel, edit);
  if (privacy.isWebPublic && !channel.isWebPublic) requireMayBeWebPublic(caller, rules);
  if (privacy.isPrivate && (edit.isDefault ?? isDefault))
    throw new BadRequest('A default channel cannot be private.');
  if (isForReports && !privacy.isPrivate) throw new BadRequest('Moderation request channel must be private.');
  const description = edit.description === undefined ? channel.description : toDescription(edit.description);
  return {
    ...channel,
    ...privacy,
    name: edit.name === undefined ? channel.name : readName(channel, edit.name),
    description,
    isArchived: edit.isArchived ?? channel.isArchived,
    messageRetentionDays:
      edit.messageRetentionDays === undefined
        ? channel.messageRetentionDays
        : readRetentionDays(edit.messageRetentionDays),
    topicsPolicy: edit.topicsPolicy ?? channel.topicsPolicy,
    ...(edit.defaultPushNotifications !== undefined && {
      defaultPushNotifications: edit.defaultPushNotifications,
    }),
    folderId: edit.folderId === undefined ? channel.folderId : edit.folderId,
    groups: readGroups(channel, edit),
  };
}

function requireMayEdit(
  caller: User,
  view: ChannelView,
  edit: ChannelEdit,
  { organization }: ChannelRules,
): void {
  if (!mayEdit(caller, view)) throw new BadRequest('Insufficient permission');
  const { channel } = view;
  const touchesContent =
    changes(edit.isPrivate, channel.isPrivate) ||
    changes(edit.isWebPublic, channel.isWebPublic) ||
    changes(edit.isHistoryPublic, channel.isHistoryPublic) ||
    needContent.some((name) => edit.groups[name] !== undefined);
  if (touchesContent && !mayReachContent(caller, view)) throw new BadRequest('Insufficient permission');
  if (edit.isDefault !== undefined && !isPermitted(caller, permissions.setDefaultChannels, {}))
    throw new BadRequest('Insufficient permission');
  const turnsPush = changes(edit.defaultPushNotifications, channel.defaultPushNotifications ?? false);
  if (turnsPush && !isPermitted(caller, permissions.setDefaultPushNotifications, {}))
    throw new BadRequest('Insufficient permission');
  if (edit.messageRetentionDays !== undefined && !isPermitted(caller, permissions.setRetention, {}))
    throw new UnauthorizedPrincipal('owner');
  requireMaySet(
    caller,
    {
      topicsPolicy: changes(edit.topicsPolicy, channel.topicsPolicy),
      deletion: deletionSettings.some((name) => edit.groups[name] !== undefined),
    },
    organization,
  );
  requireMayPublish(caller, view, edit, organization);
}

/** Callers who may not create a kind of channel may not convert others into it either. */
function requireMayPublish(
  caller: User,
  { channel }: ChannelView,
  { isPrivate }: ChannelEdit,
  organization: ChannelRules['organization'],
): void {
  if (isPrivate === undefined || isPrivate === channel.isPrivate) return;
  if (!mayCreate(caller, isPrivate, organization)) throw new BadRequest('Insufficient permission');
}

const changes = <Value>(asked: Value | undefined, current: Value): boolean =>
  asked !== undefined && asked !== current;

function readName(channel: Channel, input: string): string {
  const name = checkChannelName(input);
  if (name === channel.name) throw new BadRequest('Channel already has that name.');
  return name;
}

/** Web-public channels are not private, and readers of a public channel may read all of it. */
function readPrivacy(channel: Channel, edit: ChannelEdit) {
  const isWebPublic = edit.isWebPublic ?? (edit.isPrivate ? false : channel.isWebPublic);
  const isPrivate = edit.isPrivate ?? (edit.isWebPublic ? false : channel.isPrivate);
  if (isPrivate && isWebPublic) throw new BadRequest('Invalid parameters');
  const inherited = channel.isPrivate && isPrivate ? channel.isHistoryPublic : !isPrivate;
  const isHistoryPublic = edit.isHistoryPublic ?? inherited;
  if (!isPrivate && !isHistoryPublic) throw new BadRequest('Invalid parameters');
  return { isPrivate, isWebPublic, isHistoryPublic };
}

function readGroups({ groups }: Channel, edit: ChannelEdit): Channel['groups'] {
  const next = { ...groups };
  for (const name of channelGroupSettings) {
    const asked = edit.groups[name];
    if (!asked) continue;
    if (asked.old !== undefined && !isSameSetting(normalizeGroupSetting(asked.old), groups[name]))
      throw new ExpectationMismatch();
    next[name] = normalizeGroupSetting(asked.new);
  }
  return next;
}
