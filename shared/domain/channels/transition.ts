import type { Change } from '#shared/domain/change.ts';
import type { Job } from '#shared/domain/jobs.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { creationEvent } from '#shared/domain/subscriptions/subscribe.ts';
import { isSameSetting } from '#shared/domain/user-groups/group-setting.ts';
import type { ChannelAudience, LogEvent, PayloadOf } from '#shared/events/catalogue.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Write } from '#shared/table/table.ts';
import { channelAudience, ofArchived, reachOf } from './audience.ts';
import {
  type Channel,
  channelGroupSettings,
  legacyPostPolicy,
  toChannelRecord,
  unchanged,
} from './channel.ts';
import { type Defaults, defaultChannelsChange, unchangedDefaults } from './defaults.ts';
import { assignmentWrite } from './folders.ts';
import { notesOf } from './notes.ts';
import { channelTurnWrite, type VisibilityRevision } from './visibility-revision.ts';

export interface Transition {
  actorId: number;
  previous: Channel;
  next: Channel;
  /** The channel's subscribers, who are listed for users who start to see the channel. */
  subscriberIds: number[];
  defaults: Defaults;
  /** Whether the channel becomes a default channel; undefined leaves it unchanged. */
  isDefault: boolean | undefined;
  /** Read before the change gets its position in the log. */
  visibilityRevision: VisibilityRevision;
  /** Whether the notification bot reports changes. */
  isNoted: boolean;
}

/** The change of a channel to another state; undefined when nothing differs. */
export function transitionChange(input: Transition): Change | undefined {
  const { previous, defaults, visibilityRevision } = input;
  const next = { ...input.next, ...defaultMemory(input) };
  const transition = { ...input, next };
  const updates = updatePayloads(previous, next);
  const archival = previous.isArchived === next.isArchived ? [] : [archivalEvent(transition)];
  const defaulting = defaultChannelsChange(defaults, defaultsAsked(transition));
  const isSettingChanged = updates.length > 0 || archival.length > 0;
  if (!isSettingChanged && defaulting.events.length === 0) return undefined;
  return {
    writes: [
      isSettingChanged ? channelWrite(transition) : sameChannelCheck(previous),
      ...nameWrites(previous, next),
      ...(next.folderId !== null && next.folderId !== previous.folderId
        ? [assignmentWrite(next.folderId)]
        : []),
      ...(defaulting.writes.length > 0 ? defaulting.writes : [sameDefaultsCheck(defaults)]),
      ...(namesSubscribers(previous, next) || archival.length > 0 || defaulting.writes.length > 0
        ? [channelTurnWrite(visibilityRevision)]
        : []),
    ],
    events: [...archival, ...updateEvents(transition, updates), ...defaulting.events],
    jobs: noteJobs(transition),
  };
}

function defaultsAsked({ previous, next, isDefault }: Transition): { added?: number[]; removed?: number[] } {
  const ids = [next.channelId];
  if (next.isArchived || isDefault === false) return { removed: ids };
  return isDefault || (previous.wasDefault && !next.isPrivate) ? { added: ids } : {};
}

/** An archived channel is not a default channel but remembers that it was one. */
function defaultMemory({ previous, next, defaults }: Transition): Pick<Channel, 'wasDefault'> {
  if (!next.isArchived) return previous.wasDefault ? { wasDefault: false } : {};
  return defaults.channelIds.includes(next.channelId) ? { wasDefault: true } : {};
}

/**
 * The decision depends on the settings, and on the subscribers when events list them: neither may have
 * changed.
 */
function channelWrite({ previous, next }: Transition): Write {
  const { channelId: _id, subscriberCount: _count, firstMessageId: _first, ...settings } = next;
  const { revision = 0, memberRevision = 0 } = previous;
  const set = Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== previous[name as keyof Channel]),
  );
  return {
    kind: 'update',
    key: channelKeys.channel(next.channelId),
    set: { ...set, revision: revision + 1 },
    condition: {
      exists: true,
      belowOrAbsent: {
        revision: revision + 1,
        ...(namesSubscribers(previous, next) && { memberRevision: memberRevision + 1 }),
      },
    },
  };
}

const sameChannelCheck = (channel: Channel): Write => ({
  kind: 'check',
  key: channelKeys.channel(channel.channelId),
  condition: { exists: true, ...unchanged(channel) },
});

/** A default channel is never private, in whichever order the two are requested. */
const sameDefaultsCheck = (defaults: Defaults): Write => ({
  kind: 'check',
  key: organizationKeys.organization(),
  condition: unchangedDefaults(defaults),
});

function nameWrites(previous: Channel, next: Channel): Write[] {
  const [before, after] = [toCanonical(previous.name), toCanonical(next.name)];
  if (before === after) return [];
  return [
    { kind: 'delete', key: channelKeys.name(before) },
    {
      kind: 'put',
      item: { ...channelKeys.name(after), channelId: next.channelId },
      condition: { exists: false },
    },
  ];
}

const isSameReach = (previous: Channel, next: Channel): boolean =>
  JSON.stringify(reachOf(previous)) === JSON.stringify(reachOf(next));

/** Whether the events list the subscribers to some users. */
export const namesSubscribers = (previous: Channel, next: Channel): boolean =>
  !isSameReach(previous, next) || (previous.isArchived && !next.isArchived);

/**
 * Users who see the channel before and after the change get the differences; for others it appears or
 * disappears.
 */
function updateEvents({ previous, next, subscriberIds }: Transition, updates: ChannelUpdate[]): LogEvent[] {
  const archived = ofArchived(next);
  const audience = channelAudience(next);
  if (isSameReach(previous, next)) return updates.map((payload) => ({ audience, ...archived, payload }));
  const [before, after] = [reachOf(previous), reachOf(next)];
  const gained: ChannelAudience = { ...audience, unless: before };
  const lost: ChannelAudience = { ...channelAudience(previous), unless: after };
  const { channelId } = next;
  const peers: PayloadOf<'subscription/peer_add'> = {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [channelId],
    user_ids: subscriberIds,
    appeared: toChannelRecord(next),
  };
  return [
    creationEvent({ ...next, subscriberCount: 0 }, gained),
    {
      audience: gained,
      ...archived,
      payload: peers,
    },
    ...updates.map((payload) => ({ audience: { ...audience, onlyIf: before }, ...archived, payload })),
    {
      audience: lost,
      ...archived,
      payload: {
        type: 'stream',
        op: 'delete',
        streams: [{ stream_id: channelId }],
        stream_ids: [channelId],
      },
    },
  ];
}

type ChannelUpdate = PayloadOf<'stream/update'>;

/** Goes to all users who may know of the channel; each client interprets it by its own state. */
function archivalEvent({ previous, next, subscriberIds }: Transition): LogEvent {
  return {
    audience: channelAudience(next),
    payload: {
      ...updateOf(previous, 'is_archived', next.isArchived),
      ...(!next.isArchived && { record: toChannelRecord(next), subscriberIds }),
    },
  };
}

const updateOf = ({ channelId, name }: Channel, property: string, value: unknown): ChannelUpdate => ({
  type: 'stream',
  op: 'update',
  stream_id: channelId,
  name,
  property,
  value,
});

/** One event per property, under the channel's previous name. */
function updatePayloads(previous: Channel, next: Channel): ChannelUpdate[] {
  const update = (property: string, value: unknown): ChannelUpdate => updateOf(previous, property, value);
  const isPrivacySame =
    previous.isPrivate === next.isPrivate &&
    previous.isWebPublic === next.isWebPublic &&
    previous.isHistoryPublic === next.isHistoryPublic;
  const privacy = {
    history_public_to_subscribers: next.isHistoryPublic,
    is_web_public: next.isWebPublic,
  };
  return [
    ...(next.name === previous.name ? [] : [update('name', next.name)]),
    ...(next.description === previous.description
      ? []
      : [{ ...update('description', next.description), rendered_description: next.descriptionHtml }]),
    ...(isPrivacySame ? [] : [{ ...update('invite_only', next.isPrivate), ...privacy }]),
    ...(next.messageRetentionDays === previous.messageRetentionDays
      ? []
      : [update('message_retention_days', next.messageRetentionDays)]),
    ...(next.topicsPolicy === previous.topicsPolicy ? [] : [update('topics_policy', next.topicsPolicy)]),
    ...((next.defaultPushNotifications ?? false) === (previous.defaultPushNotifications ?? false)
      ? []
      : [update('default_push_notifications', next.defaultPushNotifications)]),
    ...(next.folderId === previous.folderId ? [] : [update('folder_id', next.folderId)]),
    ...channelGroupSettings
      .filter((name) => !isSameSetting(next.groups[name], previous.groups[name]))
      .map((name) => update(name, next.groups[name])),
    ...legacyUpdates(previous, next).map(([property, value]) => update(property, value)),
  ];
}

function legacyUpdates(previous: Channel, next: Channel): [property: string, value: unknown][] {
  const before = legacyPostPolicy(previous.groups.can_send_message_group);
  const after = legacyPostPolicy(next.groups.can_send_message_group);
  return [
    ...(before === after ? [] : [['stream_post_policy', after] as [string, unknown]]),
    ...((before === 2) === (after === 2) ? [] : [['is_announcement_only', after === 2] as [string, unknown]]),
  ];
}

function noteJobs({ actorId, previous, next, isNoted }: Transition): Job[] {
  const notes = isNoted ? notesOf(previous, next) : [];
  if (notes.length === 0) return [];
  return [
    {
      type: 'note-channel-changes',
      payload: { actorId, channelId: next.channelId, notes },
      steps: [...notes.keys()],
    },
  ];
}
