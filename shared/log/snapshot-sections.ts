import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listKnowableViews } from '#shared/store/channels.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { listTopicPreferences } from '#shared/store/topic-preferences.ts';
import { getUserSettings } from '#shared/store/user-settings.ts';
import { listUsers } from '#shared/store/users.ts';
import { gatherReads, type KeyRange } from '#shared/table/gathered-reads.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Head } from './head.ts';
import { alertWordSection } from './sections/alert-words.ts';
import { channelSection } from './sections/channels.ts';
import { deviceSection } from './sections/devices.ts';
import { draftSection } from './sections/drafts.ts';
import { emojiSection } from './sections/emoji.ts';
import { groupSection } from './sections/groups.ts';
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
  unusedSection,
];

export interface Sections {
  fields: Record<string, unknown>;
  /** The caller's subscriptions as the sections saw them. */
  subscriptions: Map<number, Subscription>;
}

/** The parts of the register reply that were asked for, with messages up to a position. */
export async function loadSections(
  given: Services,
  request: SnapshotRequest,
  { position, tendedPosition }: Pick<Head, 'position' | 'tendedPosition'>,
): Promise<Sections> {
  const { caller, fetchTypes } = request;
  const wants = (type: string): boolean => fetchTypes === null || fetchTypes.includes(type);
  const services = { ...given, table: gatherReads(given.table, rangesFor(request, wants)) };
  const views = await listKnowableViews(services.table, caller);
  const subscriptions = new Map(
    views.flatMap(({ channel, subscription }) => (subscription ? [[channel.channelId, subscription]] : [])),
  );
  const loading = {
    services,
    request,
    wants,
    views,
    subscriptions,
    organization: once(() => getOrganization(services.table)),
    ownSettings: once(() => getUserSettings(services.table, caller)),
    users: once(() => listUsers(services.table)),
    topicPreferences: once(() => listTopicPreferences(services.table, caller.userId)),
    position,
    tendedPosition,
  };
  const fields = await Promise.all(sections.map((section) => section(loading)));
  return { fields: Object.assign({}, ...fields), subscriptions };
}

/** Whoever asks for few types needs few of these items, and should not pay for the others. */
const BROAD_TYPES = 5;

/** Where small items lie that sections ask for one by one. */
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
    range(keys.linkifiers(), keys.profileFields()),
    // Conversations lie between the two.
    range(
      wants('recent_private_conversations') ? keys.alertWords(userId) : keys.mutedUsers(userId),
      keys.pushDevices(userId),
    ),
    range(keys.userSettings(userId), keys.topicPreferenceRevision(userId)),
  ];
}

/** Reads when it is asked first, and remembers. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
