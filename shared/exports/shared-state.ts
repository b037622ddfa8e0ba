import type { Channel } from '#shared/domain/channels/channel.ts';
import type { ExportType } from '#shared/domain/exports/export.ts';
import { channelLine, userLine } from '#shared/domain/exports/lines.ts';
import { anyMember } from '#shared/domain/exports/scope.ts';
import type { User } from '#shared/domain/users/user.ts';
import { capabilityNames } from '#shared/events/queue-filter.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { SnapshotRequest } from '#shared/snapshot/sections/section.ts';
import { loadSections } from '#shared/snapshot/snapshot-sections.ts';
import { listChannels } from '#shared/store/channels/channels.ts';
import { listSubscriberIds } from '#shared/store/channels/subscriptions.ts';
import { listConsentingIds } from '#shared/store/users/user-settings.ts';
import { listUsers } from '#shared/store/users/users.ts';

/** Data that does not belong to a single user. */
export interface SharedState {
  /** The organization's fields that register returns to every member. */
  organization: Record<string, unknown>;
  users: User[];
  channels: { channel: Channel; subscribers: number[] }[];
  /** Users who let administrators export their private data; read only if it matters. */
  consentingIds: Set<number>;
}

/** The lines of archive files, by file name. */
export type Lines = Record<string, object[]>;

/** Event types whose register data belongs to the whole organization. */
const ORGANIZATION_TYPES = [
  'channel_folders',
  'custom_profile_fields',
  'default_stream_groups',
  'default_streams',
  'realm',
  'realm_domains',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user_groups',
  'realm_user_settings_defaults',
  'user_status',
];
/** Excludes facts about the server or the program. */
const ORGANIZATION_FIELDS = /^realm_|^custom_profile_fields$|^channel_folders$|^user_status$/;
/** The older form of linkifiers. */
const REDUNDANT = 'realm_filters';

const request: SnapshotRequest = {
  caller: anyMember,
  filter: {
    applyMarkdown: true,
    clientGravatar: false,
    slimPresence: false,
    eventTypes: null,
    allPublicChannels: false,
    narrow: [],
    capabilities: [...capabilityNames],
  },
  fetchTypes: ORGANIZATION_TYPES,
  includeSubscribers: 'false',
  presenceHistoryDays: 0,
};

export async function readShared(
  services: Services,
  type: ExportType,
  position: number,
): Promise<SharedState> {
  const { table } = services;
  const caller = { ...anyMember };
  const [{ fields }, users, channels] = await Promise.all([
    loadSections(services, { ...request, caller }, { position, tendedPosition: position }),
    listUsers(table),
    listChannels(table),
  ]);
  const consentingIds =
    type === 'full_with_consent' ? await listConsentingIds(table, users) : new Set<number>();
  return {
    organization: Object.fromEntries(
      Object.entries(fields).filter(([name]) => ORGANIZATION_FIELDS.test(name) && name !== REDUNDANT),
    ),
    users,
    channels: await mapConcurrently(channels, async (channel) => ({
      channel,
      subscribers: await listSubscriberIds(table, channel.channelId),
    })),
    consentingIds,
  };
}

/** The files of an archive with shared data; only channels in its scope. */
export function sharedLines(
  state: SharedState,
  type: ExportType,
  isExported: (channelId: number) => boolean,
): Lines {
  const single: Record<string, unknown> = {};
  const files: Lines = {};
  for (const [name, value] of Object.entries(state.organization)) {
    const records = recordsOf(value);
    if (records) files[`${name.replace(/^realm_/, '')}.jsonl`] = records;
    else single[name.replace(/^realm_/, '')] = value;
  }
  return {
    'organization.jsonl': [single],
    ...files,
    'users.jsonl': state.users.map((user) => userLine(user, type, state.consentingIds.has(user.userId))),
    'channels.jsonl': state.channels
      .filter(({ channel }) => isExported(channel.channelId))
      .map(({ channel, subscribers }) => channelLine(channel, subscribers)),
  };
}

/** The records of a list, or of an object that maps ids to records. */
function recordsOf(value: unknown): object[] | undefined {
  if (Array.isArray(value))
    return value.every((candidate) => typeof candidate === 'object' && candidate !== null)
      ? value
      : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const isById = entries.every(
    ([id, member]) => /^\d+$/.test(id) && typeof member === 'object' && member !== null,
  );
  return isById ? entries.map(([id, member]) => ({ key: Number(id), ...(member as object) })) : undefined;
}
