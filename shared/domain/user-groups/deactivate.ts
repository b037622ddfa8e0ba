import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { peopleTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { BadRequest, CannotDeactivateGroupInUse } from '#shared/domain/errors.ts';
import type { OrganizationGroups } from '#shared/domain/organization/settings.ts';
import { giveRoomWrite, type Room } from '#shared/domain/room.ts';
import { groupUpdated } from './events.ts';
import type { Group } from './group.ts';
import { type GroupSetting, groupIdsOf } from './group-setting.ts';
import { graphChangeWrite, groupWrite } from './writes.ts';

/** Everything that may name a group. */
export interface Namers {
  groups: Group[];
  /** Every channel, and whether the caller may know of it. */
  channels: { channel: Channel; isKnown: boolean }[];
  organization: OrganizationGroups;
}

/**
 * Deactivates a group and notifies all users. Fails when other groups or channels may have started to name it.
 * @throws BadRequest when it is already deactivated, CannotDeactivateGroupInUse while something names it
 */
export function deactivationChange(
  group: Group,
  namers: Namers,
  { graphRevision, visibilityRevision }: { graphRevision: number; visibilityRevision: VisibilityRevision },
  room: Room,
): Change {
  requireActive(group);
  const objections = listObjections(group.groupId, namers);
  if (objections.length > 0) throw new CannotDeactivateGroupInUse(objections);
  return {
    writes: [
      groupWrite(group, { isDeactivated: true }),
      graphChangeWrite(graphRevision),
      peopleTurnWrite(visibilityRevision),
      giveRoomWrite(room),
    ],
    events: [groupUpdated(group.groupId, { deactivated: true })],
  };
}

/** @throws BadRequest */
export function requireActive({ isDeactivated }: Group): void {
  if (isDeactivated) throw new BadRequest('User group is deactivated.');
}

/**
 * The uses of a group: active parent groups, and settings of channels, groups and the organization. All
 * channels that are hidden from the caller are one objection, which names the settings but no channel.
 */
export function listObjections(groupId: number, { groups, channels, organization }: Namers): object[] {
  const active = groups.filter(({ isDeactivated }) => !isDeactivated);
  const above = active
    .filter(({ subgroupIds }) => subgroupIds.includes(groupId))
    .map((group) => group.groupId);
  const ofOrganization = settingsNaming(organization, groupId);
  return [
    ...(above.length > 0 ? [{ type: 'subgroup', supergroup_ids: above }] : []),
    ...channelObjections(groupId, channels),
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

function channelObjections(groupId: number, channels: Namers['channels']): object[] {
  const naming = channels
    .filter(({ channel }) => !channel.isArchived)
    .map((use) => ({ ...use, settings: settingsNaming(use.channel.groups, groupId) }))
    .filter(({ settings }) => settings.length > 0);
  const [known, unknown] = [true, false].map((isKnown) => naming.filter((use) => use.isKnown === isKnown));
  const unnamed = new Set(unknown?.flatMap(({ settings }) => settings));
  return [
    ...(known ?? []).map(({ channel, settings }) => ({
      type: 'channel',
      channel_id: channel.channelId,
      settings,
    })),
    ...(unnamed.size > 0 ? [{ type: 'channel', settings: [...unnamed].sort() }] : []),
  ];
}

const settingsNaming = (settings: Record<string, GroupSetting>, groupId: number): string[] =>
  Object.entries(settings)
    .filter(([, value]) => groupIdsOf(value).includes(groupId))
    .map(([name]) => name)
    .sort();
