import type { DeferredKind, Fields } from '#shared/domain/snapshot/deferred.ts';
import type { EventPayload } from '../catalogue.ts';

type Entry = Record<string, unknown>;

/** The maximum number of events per thing. */
export const EVENTS_PER_DEFERRED_THING = 4;

/**
 * The events for one thing that a snapshot lacked, from the fields that the snapshot would have contained;
 * none if it no longer exists.
 */
export function tellDeferred(kind: DeferredKind, fields: Fields, id: number, userId: number): EventPayload[] {
  const find = (field: string, key: string): Entry | undefined =>
    ((fields[field] ?? []) as Entry[]).find((entry) => entry[key] === id);
  const eventsOf = (entry: Entry | undefined, payload: (entry: Entry) => EventPayload): EventPayload[] =>
    entry ? [payload(entry)] : [];
  switch (kind) {
    case 'users':
      return tellUser(find('realm_users', 'user_id') ?? find('realm_non_active_users', 'user_id'));
    case 'groups':
      return eventsOf(find('realm_user_groups', 'id'), (group) => ({ type: 'user_group', op: 'add', group }));
    case 'folders':
      return eventsOf(find('channel_folders', 'id'), (folder) => ({
        type: 'channel_folder',
        op: 'add',
        channel_folder: folder,
      }));
    case 'channels':
      return tellChannel(fields, id, userId);
    case 'bots':
      return eventsOf(find('realm_bots', 'user_id'), (bot) => ({ type: 'realm_bot', op: 'add', bot }));
    case 'statuses':
      return eventsOf((fields.user_status as Record<string, Entry> | undefined)?.[id], (status) => ({
        type: 'user_status',
        user_id: id,
        ...status,
      }));
    case 'drafts':
      return eventsOf(find('drafts', 'id'), (draft) => ({ type: 'drafts', op: 'add', drafts: [draft] }));
    case 'scheduled':
      return eventsOf(find('scheduled_messages', 'scheduled_message_id'), (message) => ({
        type: 'scheduled_messages',
        op: 'add',
        scheduled_messages: [message],
      }));
    case 'reminders':
      return eventsOf(find('reminders', 'reminder_id'), (reminder) => ({
        type: 'reminders',
        op: 'add',
        reminders: [reminder],
      }));
    case 'snippets':
      return eventsOf(find('saved_snippets', 'id'), (snippet) => ({
        type: 'saved_snippets',
        op: 'add',
        saved_snippet: snippet,
      }));
  }
}

/** Clients treat new users as active until an event says otherwise. */
function tellUser(person: Entry | undefined): EventPayload[] {
  if (!person) return [];
  const addition = { type: 'realm_user', op: 'add', person: { ...person, is_active: true } };
  if (person.is_active) return [addition];
  const end = { user_id: person.user_id, is_active: false };
  return [addition, { type: 'realm_user', op: 'update', person: end }];
}

function tellChannel(fields: Fields, channelId: number, userId: number): EventPayload[] {
  const find = (field: string): Entry | undefined =>
    ((fields[field] ?? []) as Entry[]).find(({ stream_id }) => stream_id === channelId);
  const record = find('streams');
  if (!record) return [];
  const subscription = find('subscriptions');
  if (subscription) return [create(record), addition(subscription)];
  const earlier = find('unsubscribed');
  if (earlier) {
    const { stream_id, name } = record;
    // Clients learn about ended subscriptions only through subscribe and unsubscribe events.
    const end = { type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name }] };
    return [create(record), addition(withSubscriber(earlier, userId)), end];
  }
  const { subscribers, partial_subscribers } = find('never_subscribed') ?? {};
  const userIds = (subscribers ?? partial_subscribers ?? []) as number[];
  if (userIds.length === 0) return [create(record)];
  // Clients increase the count for each new subscriber.
  return [
    create({ ...record, subscriber_count: Number(record.subscriber_count) - userIds.length }),
    { type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: userIds },
  ];
}

const create = (record: Entry): EventPayload => ({ type: 'stream', op: 'create', streams: [record] });

const addition = (subscription: Entry): EventPayload => ({
  type: 'subscription',
  op: 'add',
  subscriptions: [subscription],
});

const withSubscriber = (record: Entry, userId: number): Entry => ({
  ...record,
  subscriber_count: Number(record.subscriber_count) + 1,
  ...(Array.isArray(record.subscribers) && {
    subscribers: [...record.subscribers, userId].sort((a, b) => a - b),
  }),
});
