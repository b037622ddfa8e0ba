import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { BadRequest, ExpectationMismatch, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { isPermitted } from '#shared/domain/permissions/permission.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { type GroupSetting, normalizeGroupSetting } from '#shared/domain/user-groups/group-setting.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from '#shared/events/catalogue.ts';
import type { Organization } from './organization.ts';
import { differences, isSame, organizationChange } from './organization-change.ts';
import { legacyData } from './realm-data.ts';
import { forOwnersOnly, settingRules } from './setting-rules.ts';
import type { OrganizationGroupSetting, OrganizationSettings } from './settings.ts';

/** A group setting with the value that the client expects to replace, if it states one. */
export interface GroupSettingEdit {
  new: GroupSetting;
  old?: GroupSetting | undefined;
}

/** The requested changes; values are valid. */
export interface OrganizationEdit {
  name?: string;
  description?: string;
  settings: Partial<OrganizationSettings>;
  groups: Partial<Record<OrganizationGroupSetting, GroupSettingEdit>>;
}

type Properties = Record<string, unknown>;

/** @throws UnauthorizedPrincipal when a setting is reserved for owners and the caller is not one */
export function requireMayEdit(caller: User, edit: OrganizationEdit): void {
  const names = [...Object.keys(edit.settings), ...Object.keys(edit.groups)];
  const isForOwners = names.some((name) => forOwnersOnly.has(name as keyof OrganizationSettings));
  if (isForOwners && !isPermitted(caller, permissions.editOrganizationForOwners, {}))
    throw new UnauthorizedPrincipal('owner');
}

/**
 * The change for an edit and the properties that get a new value; no change when there are none.
 * @throws ExpectationMismatch when a group setting does not have the expected value
 */
export function editOrganization(
  organization: Organization,
  edit: OrganizationEdit,
  descriptionHtml: string,
): { change: Change | undefined; changed: Properties } {
  const groups = newGroups(organization, edit);
  const next: Organization = {
    ...organization,
    ...(edit.name !== undefined && { name: edit.name }),
    ...(edit.description !== undefined && {
      description: edit.description,
      descriptionHtml,
    }),
    settings: { ...organization.settings, ...edit.settings },
    groups: { ...organization.groups, ...groups },
  };
  const changed = differences(propertiesOf(organization), propertiesOf(next));
  if (Object.keys(changed).length === 0) return { change: undefined, changed };
  return { changed, change: organizationChange(next, eventsOf(organization, next, changed)) };
}

function newGroups(organization: Organization, edit: OrganizationEdit): Record<string, GroupSetting> {
  const wanted = Object.entries(edit.groups).map(([name, { new: value, old }]): [string, GroupSetting] => {
    const current = organization.groups[name as OrganizationGroupSetting];
    if (old !== undefined && !isSame(normalizeGroupSetting(old), current)) throw new ExpectationMismatch();
    return [name, normalizeGroupSetting(value)];
  });
  return Object.fromEntries(wanted);
}

const propertiesOf = ({ name, description, settings, groups }: Organization): Properties => ({
  name,
  description,
  ...settings,
  ...groups,
});

/** Settings that get an event each; all others share one event. */
const announcedAlone = (name: string): boolean => !announcedTogether.has(name) && !name.includes('_group');
const announcedTogether = new Set([
  'allow_message_editing',
  'authentication_methods',
  'can_create_groups',
  'can_manage_all_groups',
  'description',
  'message_content_delete_limit_seconds',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'move_messages_between_streams_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'topics_policy',
]);

/** Deprecated numbers that the schemas of events do not have. */
const onlyInRegister = new Set(['realm_create_public_stream_policy', 'realm_create_private_stream_policy']);

function eventsOf(before: Organization, after: Organization, changed: Properties): EventPayload[] {
  const alone = Object.entries(changed)
    .filter(([name]) => announcedAlone(name))
    .map(([property, value]): EventPayload => ({ type: 'realm', op: 'update', property, value }));
  const legacy = Object.entries(differences(legacyData(before), legacyData(after))).filter(
    ([name]) => !onlyInRegister.has(name),
  );
  const data = {
    ...Object.fromEntries(Object.entries(changed).filter(([name]) => !announcedAlone(name))),
    ...Object.fromEntries(legacy.map(([name, value]) => [name.replace(/^realm_/, ''), value])),
    ...(changed.description !== undefined && { rendered_description: after.descriptionHtml }),
  };
  const together: EventPayload = { type: 'realm', op: 'update_dict', property: 'default', data };
  return Object.keys(data).length > 0 ? [...alone, together] : alone;
}

export const organizationLimits = { name: 40, description: 1000 } as const;

/** @throws BadRequest for a blank name */
export function checkOrganizationName(input: string): string {
  const name = input.trim();
  if (name === '') throw new BadRequest('name cannot be blank');
  return name;
}

/** The channels that an edit names; they must exist. */
export const channelIdsOf = ({ settings }: OrganizationEdit): number[] =>
  channelSettingsOf(settings).map(([, channelId]) => channelId);

/** @throws BadRequest for an unknown or archived channel, or one of the wrong kind for its setting */
export function checkChannels({ settings }: OrganizationEdit, channels: Channel[]): void {
  for (const [name, channelId] of channelSettingsOf(settings)) {
    const channel = channels.find((candidate) => candidate.channelId === channelId);
    if (!channel || channel.isArchived) throw new BadRequest('Invalid channel ID');
    const rule = settingRules[name];
    if (rule.kind === 'channel' && rule.mustBePrivate && !channel.isPrivate)
      throw new BadRequest('Moderation request channel must be private.');
  }
}

/** -1 means no channel. */
const channelSettingsOf = (settings: Partial<OrganizationSettings>): [keyof OrganizationSettings, number][] =>
  (Object.entries(settings) as [keyof OrganizationSettings, number][]).filter(
    ([name, value]) => settingRules[name].kind === 'channel' && value !== -1,
  );

/** The group settings of an edit, by name. */
export const groupSettingsOf = ({ groups }: OrganizationEdit): Record<string, GroupSetting> =>
  Object.fromEntries(Object.entries(groups).map(([name, { new: value }]) => [name, value]));
