import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { BadRequest, CannotDeactivateGroupInUse } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { groupUpdated } from './events.ts';
import type { Group } from './group.ts';
import { type GroupSetting, groupIdsOf } from './group-setting.ts';
import { graphChangeWrite, groupWrite } from './writes.ts';

/** Everything that may name a group. */
export interface Namers {
  groups: Group[];
  channels: Channel[];
  organization: OrganizationGroups;
}

/**
 * Everybody hears that the group is deactivated. The change fails when other groups may have begun to name it meanwhile.
 * @throws BadRequest when it is already, CannotDeactivateGroupInUse while something names it
 */
export function deactivationChange(group: Group, namers: Namers, graphRevision: number): Change {
  requireActive(group);
  const objections = listObjections(group.groupId, namers);
  if (objections.length > 0) throw new CannotDeactivateGroupInUse(objections);
  return {
    writes: [groupWrite(group, { isDeactivated: true }), graphChangeWrite(graphRevision)],
    events: [groupUpdated(group.groupId, { deactivated: true })],
  };
}

/** @throws BadRequest */
export function requireActive({ isDeactivated }: Group): void {
  if (isDeactivated) throw new BadRequest('User group is deactivated.');
}

/** What names the group: active groups above it, settings of channels, of groups and of the organization. */
export function listObjections(groupId: number, { groups, channels, organization }: Namers): object[] {
  const active = groups.filter(({ isDeactivated }) => !isDeactivated);
  const above = active.filter(({ subgroupIds }) => subgroupIds.includes(groupId)).map((one) => one.groupId);
  const ofOrganization = settingsNaming(organization, groupId);
  return [
    ...(above.length > 0 ? [{ type: 'subgroup', supergroup_ids: above }] : []),
    ...channels
      .filter(({ isArchived }) => !isArchived)
      .map((channel) => ({
        type: 'channel',
        channel_id: channel.channelId,
        settings: settingsNaming(channel.groups, groupId),
      }))
      .filter(({ settings }) => settings.length > 0),
    ...active
      .map((group) => ({
        type: 'user_group',
        group_id: group.groupId,
        settings: settingsNaming(group.groups, groupId),
      }))
      .filter(({ settings }) => settings.length > 0),
    ...(ofOrganization.length > 0 ? [{ type: 'realm', settings: ofOrganization }] : []),
  ];
}

const settingsNaming = (settings: Record<string, GroupSetting>, groupId: number): string[] =>
  Object.entries(settings)
    .filter(([, value]) => groupIdsOf(value).includes(groupId))
    .map(([name]) => name)
    .sort();
