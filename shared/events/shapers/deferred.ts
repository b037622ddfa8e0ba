import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { DeferredKind, Fields } from '#shared/domain/snapshot/deferred.ts';
import type { WireEvent, WireEventOf } from '../catalogue.ts';
import type { EventFields, StatusChange, SubscriptionRecord, UserRecord } from '../event-fields.ts';

/** The fields of a snapshot from which events are made, with the same records. */
interface Snapshot {
  realm_users?: Account[];
  realm_non_active_users?: Account[];
  realm_user_groups?: EventFields['user_group/add']['group'][];
  channel_folders?: EventFields['channel_folder/add']['channel_folder'][];
  realm_bots?: EventFields['realm_bot/add']['bot'][];
  user_status?: Record<number, StatusChange>;
  drafts?: EventFields['drafts/add']['drafts'];
  scheduled_messages?: EventFields['scheduled_messages/add']['scheduled_messages'];
  reminders?: EventFields['reminders/add']['reminders'];
  saved_snippets?: EventFields['saved_snippets/add']['saved_snippet'][];
  streams?: ChannelRecord[];
  subscriptions?: SubscriptionRecord[];
  unsubscribed?: SubscriptionRecord[];
  never_subscribed?: (ChannelRecord & { subscribers?: number[]; partial_subscribers?: number[] })[];
}

type Account = UserRecord & { is_active?: boolean };

/** The maximum number of events per thing. */
export const EVENTS_PER_DEFERRED_THING = 4;

/**
 * The events for one thing that a snapshot lacked, from the fields that the snapshot would have contained;
 * none if it no longer exists.
 */
export function tellDeferred(kind: DeferredKind, fields: Fields, id: number, userId: number): WireEvent[] {
  // Snapshots are written for clients, as JSON; their lists hold the same records as events.
  const snapshot = fields as Snapshot;
  const eventsOf = <Entry>(entry: Entry | undefined, event: (entry: Entry) => WireEvent): WireEvent[] =>
    entry ? [event(entry)] : [];
  const withId = (entry: { id: number }): boolean => entry.id === id;
  const ofUser = (entry: { user_id: number }): boolean => entry.user_id === id;
  switch (kind) {
    case 'users':
      return tellUser(snapshot.realm_users?.find(ofUser) ?? snapshot.realm_non_active_users?.find(ofUser));
    case 'groups':
      return eventsOf(snapshot.realm_user_groups?.find(withId), (group) => ({
        type: 'user_group',
        op: 'add',
        group,
      }));
    case 'folders':
      return eventsOf(snapshot.channel_folders?.find(withId), (folder) => ({
        type: 'channel_folder',
        op: 'add',
        channel_folder: folder,
      }));
    case 'channels':
      return tellChannel(snapshot, id, userId);
    case 'bots':
      return eventsOf(snapshot.realm_bots?.find(ofUser), (bot) => ({ type: 'realm_bot', op: 'add', bot }));
    case 'statuses':
      return eventsOf(snapshot.user_status?.[id], (status) => ({
        type: 'user_status',
        user_id: id,
        ...status,
      }));
    case 'drafts':
      return eventsOf(snapshot.drafts?.find(withId), (draft) => ({
        type: 'drafts',
        op: 'add',
        drafts: [draft],
      }));
    case 'scheduled':
      return eventsOf(
        snapshot.scheduled_messages?.find(
          (scheduled_Message) => scheduled_Message.scheduled_message_id === id,
        ),
        (message) => ({ type: 'scheduled_messages', op: 'add', scheduled_messages: [message] }),
      );
    case 'reminders':
      return eventsOf(
        snapshot.reminders?.find((reminder) => reminder.reminder_id === id),
        (reminder) => ({ type: 'reminders', op: 'add', reminders: [reminder] }),
      );
    case 'snippets':
      return eventsOf(snapshot.saved_snippets?.find(withId), (snippet) => ({
        type: 'saved_snippets',
        op: 'add',
        saved_snippet: snippet,
      }));
  }
}

/** Clients treat new users as active until an event says otherwise. */
function tellUser(person: Account | undefined): WireEvent[] {
  if (!person) return [];
  const addition: WireEvent = { type: 'realm_user', op: 'add', person: { ...person, is_active: true } };
  if (person.is_active) return [addition];
  const end = { user_id: person.user_id, is_active: false };
  return [addition, { type: 'realm_user', op: 'update', person: end }];
}

function tellChannel(snapshot: Snapshot, channelId: number, userId: number): WireEvent[] {
  const isIt = ({ stream_id }: { stream_id: number }): boolean => stream_id === channelId;
  const record = snapshot.streams?.find(isIt);
  if (!record) return [];
  const subscription = snapshot.subscriptions?.find(isIt);
  if (subscription) return [create(record), addition(subscription)];
  const earlier = snapshot.unsubscribed?.find(isIt);
  if (earlier) {
    const { stream_id, name } = record;
    // Clients learn about ended subscriptions only through subscribe and unsubscribe events.
    const end: WireEvent = { type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name }] };
    return [create(record), addition(withSubscriber(earlier, userId)), end];
  }
  const { subscribers, partial_subscribers } = snapshot.never_subscribed?.find(isIt) ?? {};
  const userIds = subscribers ?? partial_subscribers ?? [];
  if (userIds.length === 0) return [create(record)];
  // Clients increase the count for each new subscriber.
  return [
    create({ ...record, subscriber_count: record.subscriber_count - userIds.length }),
    { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: userIds },
  ];
}

const create = (record: ChannelRecord): WireEventOf<'stream/create'> => ({
  type: 'stream',
  op: 'create',
  streams: [record],
});

const addition = (subscription: SubscriptionRecord): WireEventOf<'subscription/add'> => ({
  type: 'subscription',
  op: 'add',
  subscriptions: [subscription],
});

const withSubscriber = (record: SubscriptionRecord, userId: number): SubscriptionRecord => ({
  ...record,
  subscriber_count: record.subscriber_count + 1,
  ...(record.subscribers && { subscribers: [...record.subscribers, userId].sort((a, b) => a - b) }),
});
