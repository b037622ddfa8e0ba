import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Channel } from './channel.ts';

/** Channels that clients offer together when inviting a person. */
export interface DefaultGroup {
  id: number;
  name: string;
  description: string;
  channelIds: number[];
}

export interface DefaultGroups {
  groups: DefaultGroup[];
  lastId: number;
  revision: number;
}

export const MAX_GROUP_DESCRIPTION = 1024;
const MAX_NAME = 60;
const MAX_GROUPS = 50;
/** All groups are in one item and one event, which are limited to 400 KB. */
export const MAX_CHANNELS_OF_GROUP = 500;

/** The records of the protocol, by name. */
export const toGroupRecords = ({ groups }: DefaultGroups) =>
  [...groups]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id, name, description, channelIds }) => ({ id, name, description, streams: channelIds }));

/** The channels that a group may name, and the channels that all new users get without it. */
interface Given {
  name: string;
  channels: Channel[];
  defaultChannelIds: number[];
}

/** Adds a group. @throws BadRequest for an invalid name or channel */
export function createDefaultGroup(
  known: DefaultGroups,
  { name, description, channels, defaultChannelIds }: Given & { description: string },
): Change {
  requireNoDefaults({ name, channels, defaultChannelIds });
  requireFreeName(known, name);
  if (known.groups.length >= MAX_GROUPS)
    throw new BadRequest(`There may be at most ${MAX_GROUPS} default channel groups.`);
  const id = known.lastId + 1;
  const group = { id, name, description, channelIds: idsOf(channels) };
  return groupsChange({ ...known, lastId: id }, [...known.groups, requireRoom(group)]);
}

/** Renames a group or changes its description; undefined when nothing changes. @throws BadRequest */
export function editDefaultGroup(
  known: DefaultGroups,
  id: number,
  edit: { name?: string | undefined; description?: string | undefined },
): Change | undefined {
  const group = getDefaultGroup(known, id);
  if (edit.name !== undefined) {
    if (edit.name === group.name)
      throw new BadRequest(`This default channel group is already named '${group.name}'`);
    requireFreeName(known, edit.name);
  }
  const { name = group.name, description = group.description } = edit;
  if (name === group.name && description === group.description) return undefined;
  return replaceGroup(known, { ...group, name, description });
}

/**
 * Adds channels to a group.
 * @throws BadRequest for one that it already has, or that all new users get anyway
 */
export function addToDefaultGroup(
  known: DefaultGroups,
  id: number,
  input: Omit<Given, 'name'>,
): Change | undefined {
  const group = getDefaultGroup(known, id);
  requireNoDefaults({ ...input, name: group.name });
  const present = input.channels.find(({ channelId }) => group.channelIds.includes(channelId));
  if (present)
    throw new BadRequest(
      `Channel '${present.name}' is already present in default channel group '${group.name}'`,
    );
  if (input.channels.length === 0) return undefined;
  const channelIds = [...group.channelIds, ...idsOf(input.channels)].sort((a, b) => a - b);
  return replaceGroup(known, requireRoom({ ...group, channelIds }));
}

/** Removes channels from a group. @throws BadRequest for one that it does not have */
export function takeFromDefaultGroup(
  known: DefaultGroups,
  id: number,
  channels: Channel[],
): Change | undefined {
  const group = getDefaultGroup(known, id);
  const absent = channels.find(({ channelId }) => !group.channelIds.includes(channelId));
  if (absent)
    throw new BadRequest(`Channel '${absent.name}' is not present in default channel group '${group.name}'`);
  if (channels.length === 0) return undefined;
  const taken = new Set(idsOf(channels));
  return replaceGroup(known, {
    ...group,
    channelIds: group.channelIds.filter((channelId) => !taken.has(channelId)),
  });
}

/** @throws BadRequest for an unknown id */
export function deleteDefaultGroup(known: DefaultGroups, id: number): Change {
  const gone = getDefaultGroup(known, id);
  return groupsChange(
    known,
    known.groups.filter((group) => group !== gone),
  );
}

function getDefaultGroup({ groups }: DefaultGroups, id: number): DefaultGroup {
  const group = groups.find((candidate) => candidate.id === id);
  if (!group) throw new BadRequest(`Default channel group with id '${id}' does not exist.`);
  return group;
}

const idsOf = (channels: Channel[]): number[] =>
  [...new Set(channels.map(({ channelId }) => channelId))].sort((a, b) => a - b);

function requireNoDefaults({ name, channels, defaultChannelIds }: Given): void {
  const channel = channels.find(({ channelId }) => defaultChannelIds.includes(channelId));
  if (channel)
    throw new BadRequest(`'${channel.name}' is a default channel and cannot be added to '${name}'`);
  if (channels.some(({ isPrivate }) => isPrivate))
    throw new BadRequest('Private channels cannot be made default.');
}

function requireFreeName({ groups }: DefaultGroups, name: string): void {
  if (name.trim() === '') throw new BadRequest(`Invalid default channel group name '${name}'`);
  if ([...name].length > MAX_NAME)
    throw new BadRequest(`Default channel group name too long (limit: ${MAX_NAME} characters)`);
  if (name.includes('\0'))
    throw new BadRequest(`Default channel group name '${name}' contains NULL (0x00) characters.`);
  if (groups.some((group) => group.name === name))
    throw new BadRequest(`Default channel group '${name}' already exists`);
}

function requireRoom(group: DefaultGroup): DefaultGroup {
  if (group.channelIds.length > MAX_CHANNELS_OF_GROUP)
    throw new BadRequest(`A default channel group has at most ${MAX_CHANNELS_OF_GROUP} channels.`);
  return group;
}

const replaceGroup = (known: DefaultGroups, next: DefaultGroup): Change =>
  groupsChange(
    known,
    known.groups.map((group) => (group.id === next.id ? next : group)),
  );

function groupsChange({ revision, lastId }: DefaultGroups, groups: DefaultGroup[]): Change {
  const next = { groups, lastId, revision: revision + 1 };
  return {
    writes: [
      {
        kind: 'put',
        item: { ...organizationKeys.defaultGroups(), ...next },
        condition: { belowOrAbsent: { revision: revision + 1 } },
      },
    ],
    events: [
      {
        audience: { kind: 'members' },
        payload: { type: 'default_stream_groups', default_stream_groups: toGroupRecords(next) },
      },
    ],
  };
}
