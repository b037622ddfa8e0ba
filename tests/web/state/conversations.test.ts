import { describe, expect, test } from 'vitest';
import {
  addConversations,
  type Conversations,
  conversationsOf,
  noConversations,
  type RecentFilter,
  recentLines,
  withEdit,
  withMessage,
  withoutNewest,
} from '#web/state/conversations.ts';
import { unreadCounts } from '#web/state/sidebar.ts';
import type { UpdateEvent } from '#web/state/wire-events.ts';
import { direct, message, snapshot, unreadTopic, VIEWER, withUnread } from '../scene.ts';

const own = (id: number, subject: string) => message(id, { subject, sender_id: VIEWER });
const list = conversationsOf(
  [
    message(1, { subject: 'logo' }),
    own(2, 'fonts'),
    message(3, { subject: 'jokes', stream_id: 10 }),
    direct(4, 2),
    message(5, { subject: 'Logo', sender_id: 3 }),
    message(6, { subject: 'elsewhere', stream_id: 11 }),
  ],
  VIEWER,
);
const server = snapshot(
  withUnread({
    count: 4,
    streams: [unreadTopic(9, 'fonts', 2, 1), unreadTopic(9, 'logo', 5), unreadTopic(10, 'jokes', 3)],
  }),
);
const linesOf = (all: Conversations, filter: Partial<RecentFilter> = {}, viewer = server) =>
  recentLines(all, viewer, unreadCounts(viewer), {
    ...{ kind: 'all', withMuted: false, sort: 'active', hasWords: () => true, ...filter },
  });
const newestIn = (...options: Parameters<typeof linesOf>): number[] =>
  linesOf(...options).map(({ newest }) => newest.id);

describe('Recent conversations', () => {
  test('Show the newest message first, without muted and unsubscribed channels', () => {
    expect(newestIn(list)).toEqual([5, 4, 2]);
    expect(newestIn(list, { withMuted: true })).toEqual([5, 4, 3, 2]);
  });

  test('Sort by unread messages, then by activity', () => {
    expect(newestIn(list, { sort: 'unread' })).toEqual([2, 5, 4]);
  });

  test('Show the conversations of a filter', () => {
    expect(newestIn(list, { kind: 'unread' })).toEqual([5, 2]);
    expect(newestIn(list, { kind: 'own' })).toEqual([2]);
    expect(newestIn(list, { kind: 'direct' })).toEqual([4]);
    expect(newestIn(list, { hasWords: ({ type }) => type === 'private' })).toEqual([4]);
  });

  test('Show a muted topic that mentions the viewer, and hide muted people', () => {
    const called = snapshot(withUnread({ count: 1, streams: [unreadTopic(10, 'jokes', 3)], mentions: [3] }));
    expect(newestIn(list, {}, called)).toEqual([5, 4, 3, 2]);
    expect(newestIn(list, {}, { ...server, muted_users: [{ id: 2, timestamp: 1 }] })).toEqual([5, 2]);
  });
});

describe('A conversation', () => {
  test('Moves to the top with a new message, and its sender becomes the first participant', () => {
    const next = withMessage(list, own(7, 'logo'), VIEWER);
    const [first] = linesOf(next, { kind: 'own' });
    expect(first).toMatchObject({ newest: { id: 7 }, participants: [VIEWER, 3, 2], isOwn: true });
  });

  test('Keeps a newer message if a page with an older one arrives', () => {
    const page = { participants: [2], is_participant: false, last_message: message(4, { subject: 'logo' }) };
    expect(newestIn(addConversations(list, { conversations: [page] }, VIEWER))).toEqual([5, 4, 2]);
  });

  test('Changes its last words with an edit, and disappears with its newest message', () => {
    const edit = { message_id: 5, rendered_content: '<p>new</p>' } as UpdateEvent;
    const words = [...withEdit(list, edit).byKey.values()].map(({ newest }) => newest.content);
    expect(words).toContain('<p>new</p>');
    expect(newestIn(withoutNewest(list, new Set([5])))).toEqual([4, 2]);
    expect(withoutNewest(list, new Set([1]))).toBe(list);
    expect(noConversations.byKey.size).toBe(0);
  });
});
