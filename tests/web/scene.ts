import { applyEvents } from '#web/state/apply.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot, Subscription, Unread } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import type { Person } from '#web/state/wire-people.ts';

/** The id of the viewer in snapshots of these tests. */
export const VIEWER = 1;

/** A message of a channel, five seconds after the one before. */
export const message = (id: number, fields: Partial<Message> = {}): Message => ({
  id,
  type: 'stream',
  stream_id: 9,
  subject: 'logo',
  display_recipient: 'design',
  sender_id: 2,
  sender_full_name: 'Ada',
  sender_email: 'ada@example.com',
  avatar_url: null,
  content: '<p>text</p>',
  content_type: 'text/html',
  timestamp: 1_800_000_000 + id * 5,
  flags: [],
  reactions: [],
  submessages: [],
  is_me_message: false,
  ...fields,
});

export const channel = (id: number, name: string, fields: Partial<Subscription> = {}): Subscription =>
  ({
    stream_id: id,
    name,
    folder_id: null,
    is_archived: false,
    is_muted: false,
    pin_to_top: false,
    ...fields,
  }) as Subscription;

/** As much of a reply of register as the tests of the client read. */
export const snapshot = (fields: Partial<Snapshot> = {}): Snapshot =>
  ({
    user_id: VIEWER,
    max_message_id: 0,
    subscriptions: [channel(9, 'design'), channel(10, 'random', { is_muted: true })],
    unsubscribed: [],
    never_subscribed: [],
    streams: [],
    channel_folders: [],
    realm_users: [{ user_id: 2, full_name: 'Ada', email: 'ada@example.com', is_active: true } as Person],
    realm_non_active_users: [],
    cross_realm_bots: [],
    unread_msgs: { count: 0, streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
    starred_messages: [],
    recent_private_conversations: [],
    user_topics: [],
    muted_users: [],
    ...fields,
  }) as Snapshot;

/** The arrival of a message. */
export const came = (arrival: Message, flags: string[] = []): WireEvent =>
  ({ id: arrival.id, type: 'message', message: arrival, flags }) as WireEvent;

/** People as a direct message names them. */
export const recipients = (...ids: number[]) => ids.map((id) => ({ id, full_name: '', email: '' }));

/** A direct message among the viewer and others. */
export const direct = (id: number, ...others: number[]): Message => {
  const { stream_id: _, ...rest } = message(id, { type: 'private', subject: '' });
  return { ...rest, display_recipient: recipients(VIEWER, ...others) };
};

/** The viewer's policy for a topic. */
export const topicPolicy = (topic_name: string, visibility_policy: number, stream_id = 9) => ({
  ...{ stream_id, topic_name, visibility_policy, last_updated: 1 },
});

/** The client's state after events that follow a reply of register. */
export const serverAfter = (fields: Partial<Snapshot>, ...events: object[]): Snapshot =>
  applyEvents(
    stateOf(snapshot(fields)),
    events.map((event, index) => ({ id: index + 1, ...event }) as WireEvent),
  ).server;

/** Unread messages of a topic. */
export const unreadTopic = (stream_id: number, topic: string, ...unread_message_ids: number[]) => ({
  ...{ stream_id, topic, unread_message_ids },
});

/** So much of a reply of register is unread. */
export const withUnread = (fields: Partial<Unread>): Pick<Snapshot, 'unread_msgs'> => ({
  unread_msgs: { ...snapshot().unread_msgs, ...fields },
});
