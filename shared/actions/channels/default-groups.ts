import type { Channel } from '#shared/domain/channels/channel.ts';
import type { DefaultGroups } from '#shared/domain/channels/default-groups.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { listChannelsByName } from '#shared/store/channels/channels.ts';
import { getDefaultGroups } from '#shared/store/channels/default-groups.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * The state that decides about a group's channels: the groups, the named channels, and the default channels.
 */
export interface GroupMaking {
  known: DefaultGroups;
  channels: Channel[];
  defaultChannelIds: number[];
}

/**
 * Loads the state for an administrator, who may know of every channel.
 * @throws BadRequest for an unknown or archived channel
 */
export async function loadGroupMaking(table: Table, names: string[]): Promise<GroupMaking> {
  const [known, organization, channels] = await Promise.all([
    getDefaultGroups(table),
    getOrganization(table),
    getNamed(table, names),
  ]);
  return { known, channels, defaultChannelIds: [...(organization.defaultChannels ?? [])] };
}

async function getNamed(table: Table, names: string[]): Promise<Channel[]> {
  const found = await listChannelsByName(table, names);
  const byName = new Map(found.map((channel) => [toCanonical(channel.name), channel]));
  return names.map((name) => {
    const channel = byName.get(toCanonical(name));
    if (!channel || channel.isArchived) throw new BadRequest(`Invalid channel name '${name}'`);
    return channel;
  });
}
