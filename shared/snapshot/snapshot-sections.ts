import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { DeferredKind } from '#shared/domain/snapshot/deferred.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { Head } from '#shared/log/head.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listKnowableViews, listViewsById } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listTopicPreferences } from '#shared/store/topics/topic-preferences.ts';
import { getUserSettings } from '#shared/store/users/user-settings.ts';
import { listUsers, listUsersById } from '#shared/store/users/users.ts';
import { gatherReads, type KeyRange } from '#shared/table/gathered-reads.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { alertWordSection } from './sections/alert-words.ts';
import { channelSection } from './sections/channels.ts';
import { deviceSection } from './sections/devices.ts';
import { draftSection } from './sections/drafts.ts';
import { emojiSection } from './sections/emoji.ts';
import { groupSection } from './sections/groups.ts';
import { integrationsSection } from './sections/integrations.ts';
import { keepsakeSection } from './sections/keepsakes.ts';
import { linkifierSection } from './sections/linkifiers.ts';
import { messageSection } from './sections/messages.ts';
import { organizationSection } from './sections/organization.ts';
import { presenceSection } from './sections/presence.ts';
import { profileSection } from './sections/profile.ts';
import { scheduledSection } from './sections/scheduled.ts';
import { searchSection } from './sections/search.ts';
import type { Section, SnapshotRequest } from './sections/section.ts';
import { topicSection } from './sections/topics.ts';
import { unusedSection } from './sections/unused.ts';
import { userSection } from './sections/users.ts';

const sections: Section[] = [
  messageSection,
  channelSection,
  emojiSection,
  organizationSection,
  userSection,
  deviceSection,
  groupSection,
  profileSection,
  presenceSection,
  scheduledSection,
  draftSection,
  keepsakeSection,
  searchSection,
  topicSection,
  alertWordSection,
  linkifierSection,
  integrationsSection,
  unusedSection,
];

export interface Sections {
  fields: Record<string, unknown>;
  /** The caller's subscriptions at the time of reading. */
  subscriptions: Map<number, Subscription>;
}

/** The requested parts of the register reply, with messages up to a position. */
export async function loadSections(
  given: Services,
  request: SnapshotRequest,
  { position, tendedPosition }: Pick<Head, 'position' | 'tendedPosition'>,
): Promise<Sections> {
  const { caller, fetchTypes, filter } = request;
  const wants = (type: string): boolean =>
    !filter.withheldTypes?.includes(type) && (fetchTypes === null || fetchTypes.includes(type));
  const services = { ...given, table: gatherReads(given.table, rangesFor(request, wants)) };
  const views = await listKnowableViews(services.table, caller);
  const loading = { ...openLoading(services, request, views), wants, position, tendedPosition };
  const fields = await Promise.all(sections.map((section) => section(loading)));
  return { fields: Object.assign({}, ...fields), subscriptions: loading.subscriptions };
}

function openLoading(services: Services, request: SnapshotRequest, views: ChannelView[]) {
  const { table } = services;
  const { caller } = request;
  return {
    services,
    request,
    views,
    subscriptions: new Map(
      views.flatMap(({ channel, subscription }) => (subscription ? [[channel.channelId, subscription]] : [])),
    ),
    organization: once(() => getOrganization(table)),
    ownSettings: once(() => getUserSettings(table, caller)),
    users: once(() => listUsers(table)),
    topicPreferences: once(() => listTopicPreferences(table, caller.userId)),
  };
}

/** The section for a kind of things, and the event types to request. */
const sectionOf: Record<DeferredKind, [Section, ...string[]]> = {
  users: [userSection, 'realm_user'],
  groups: [groupSection, 'realm_user_groups'],
  folders: [channelSection, 'channel_folders'],
  channels: [channelSection, 'subscription', 'stream'],
  bots: [userSection, 'realm_bot'],
  statuses: [presenceSection, 'user_status'],
  drafts: [draftSection, 'drafts'],
  scheduled: [scheduledSection, 'scheduled_messages'],
  reminders: [scheduledSection, 'reminders'],
  snippets: [keepsakeSection, 'saved_snippets'],
};

/** The register fields with some things of a kind, in their present state. They may include others. */
export async function loadSome(
  services: Services,
  request: SnapshotRequest,
  kind: DeferredKind,
  ids: number[],
  position: number,
): Promise<Record<string, unknown>> {
  const { table } = services;
  const { caller } = request;
  const [section, ...types] = sectionOf[kind];
  const views = kind === 'channels' ? await listViewsById(table, caller, ids) : [];
  const namesUsers = kind === 'users' || kind === 'bots';
  return section({
    ...openLoading(services, request, views),
    ...(namesUsers && { users: once(() => listUsersById(table, ids)) }),
    wants: (type) => types.includes(type),
    position,
    tendedPosition: position,
  });
}

/** Requests for few types need few of these items and should not pay for the others. */
const BROAD_TYPES = 5;

/** The key ranges of small items that sections read one by one. */
function rangesFor(
  { caller: { userId }, fetchTypes }: SnapshotRequest,
  wants: (type: string) => boolean,
): KeyRange[] {
  if (fetchTypes !== null && fetchTypes.length < BROAD_TYPES) return [];
  const range = (first: Key, last: Key): KeyRange => ({
    partition: first.pk,
    from: first.sk,
    to: `${last.sk}\uffff`,
  });
  return [
    range(organizationKeys.defaultGroups(), organizationKeys.profileFields()),
    // Conversations are stored between the two.
    range(
      wants('recent_private_conversations') ? userKeys.alertWords(userId) : userKeys.mutedUsers(userId),
      userKeys.pushDevices(userId),
    ),
    range(userKeys.settings(userId), channelKeys.topicPreferenceRevision(userId)),
  ];
}

/** Reads on first use and caches the result. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
