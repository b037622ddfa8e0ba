import { describe, expect, test } from 'vitest';
import { applyEvents } from '#web/state/apply.ts';
import {
  COUNTED,
  channelSections,
  countShown,
  directConversations,
  unreadCounts,
} from '#web/state/sidebar.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { channel, snapshot, topicPolicy, unreadTopic, VIEWER, withUnread } from './scene.ts';

type Unread = Snapshot['unread_msgs'];

const unread = (fields: Partial<Unread>): Snapshot => snapshot(withUnread(fields));
const withPerson = (other_user_id: number, ...unread_message_ids: number[]) => ({
  ...{ other_user_id, sender_id: other_user_id, unread_message_ids },
});

describe('The numbers of the navigation', () => {
  test('Count for each channel unread, muted and mentioning messages, by topic', () => {
    const server = unread({
      count: 3,
      mentions: [2, 3, 6],
      streams: [unreadTopic(9, 'Logo', 1, 2, 3), unreadTopic(9, 'print', 4), unreadTopic(10, 'lunch', 5, 6)],
    });
    const { total, mentions, byChannel } = unreadCounts(server);
    expect({ total, mentions }).toEqual({ total: 3, mentions: 3 });
    expect(byChannel.get(9)).toEqual({
      heard: 4,
      muted: 0,
      mentions: 2,
      topics: new Map([
        ['logo', { name: 'Logo', count: 3, isMentioned: true }],
        ['print', { name: 'print', count: 1, isMentioned: false }],
      ]),
    });
    expect(byChannel.get(10)).toEqual({
      heard: 0,
      muted: 2,
      mentions: 1,
      topics: new Map([['lunch', { name: 'lunch', count: 2, isMentioned: true }]]),
    });
  });

  test('Have for each conversation the ids of the others', () => {
    const server = unread({
      pms: [withPerson(4, 1, 2)],
      huddles: [{ user_ids_string: `${VIEWER},2,30`, unread_message_ids: [3] }],
    });
    expect(Object.fromEntries(unreadCounts(server).byPeople)).toEqual({ 4: 2, '2,30': 1 });
  });

  test('Remain the same object until the unread messages change', () => {
    const server = unread({ streams: [unreadTopic(9, 'logo', 1)] });
    expect(unreadCounts({ ...server })).toBe(unreadCounts(server));
  });

  test.each<[string, Partial<Unread>]>([
    ['another count', { streams: [unreadTopic(9, 'logo', 1, 2, 5), unreadTopic(9, 'print', 3, 4)] }],
    [
      'counts that two topics exchange',
      { streams: [unreadTopic(9, 'logo', 1), unreadTopic(9, 'print', 2, 3, 4)] },
    ],
    ['one topic less', { streams: [unreadTopic(9, 'logo', 1, 2)] }],
    ['another spelling', { streams: [unreadTopic(9, 'LOGO', 1, 2), unreadTopic(9, 'print', 3, 4)] }],
    ['a mention in another topic', { mentions: [3] }],
    ['another mention in the same topic', { mentions: [1, 2] }],
  ])('Become a new object for a channel after %s, and stay the same otherwise', (_what, fields) => {
    const before = { mentions: [1], streams: [unreadTopic(9, 'logo', 1, 2), unreadTopic(9, 'print', 3, 4)] };
    const known = unreadCounts(unread(before)).byChannel.get(9);
    expect(unreadCounts(unread({ ...before, count: 7 })).byChannel.get(9)).toBe(known);
    const changed = unreadCounts(unread({ ...before, ...fields })).byChannel.get(9);
    expect(changed).not.toBe(known);
  });

  test.each<[string, object]>([
    ['topic', { type: 'user_topic', ...topicPolicy('logo', 1) }],
    ['channel', { type: 'subscription', op: 'update', stream_id: 9, property: 'is_muted', value: true }],
  ])('Change when the viewer mutes the %s', (_what, event) => {
    const before = stateOf(unread({ count: 1, streams: [unreadTopic(9, 'logo', 1)] }));
    expect(unreadCounts(before.server).byChannel.get(9)).toMatchObject({ heard: 1, muted: 0 });
    const { server } = applyEvents(before, [{ id: 1, ...event } as WireEvent]);
    expect(unreadCounts(server).byChannel.get(9)).toMatchObject({ heard: 0, muted: 1 });
  });
});

describe('The sections of channels', () => {
  const folder = (id: number, name: string, is_archived = false) => ({ id, name, is_archived });
  const shown = (fields: Partial<Snapshot>): [title: string, names: string[]][] =>
    channelSections(snapshot(fields)).map(({ title, channels }) => [title, channels.map(({ name }) => name)]);

  test('Form one if there is nothing to separate, sorted by name, and the muted ones last', () => {
    const muted = channel(2, 'A', { is_muted: true });
    const subscriptions = [channel(1, 'b'), muted, channel(3, 'C'), channel(4, 'a')];
    expect(shown({ subscriptions })).toEqual([['Channels', ['a', 'b', 'C', 'A']]]);
  });

  test('Come as the pinned ones, the folders in their order, and the others', () => {
    const subscriptions = [
      channel(1, 'pinned', { pin_to_top: true, folder_id: 5 }),
      channel(2, 'in second', { folder_id: 5 }),
      channel(3, 'in first', { folder_id: 6 }),
      channel(4, 'in an archived folder', { folder_id: 7 }),
      channel(5, 'alone'),
      channel(6, 'archived', { is_archived: true }),
    ];
    const folders = [folder(6, 'First'), folder(5, 'Second'), folder(7, 'Old', true), folder(8, 'Empty')];
    const channel_folders = folders as Snapshot['channel_folders'];
    expect(shown({ subscriptions, channel_folders })).toEqual([
      ['Pinned', ['pinned']],
      ['First', ['in first']],
      ['Second', ['in second']],
      ['Channels', ['alone', 'in an archived folder']],
    ]);
    const keys = channelSections(snapshot({ subscriptions, channel_folders })).map(({ key }) => key);
    expect(keys).toEqual(['pinned', 'folder-6', 'folder-5', 'others']);
  });

  test('Have a title beside a single other section', () => {
    const pinned = channel(1, 'pinned', { pin_to_top: true });
    expect(shown({ subscriptions: [pinned, channel(2, 'alone')] })).toEqual([
      ['Pinned', ['pinned']],
      ['Channels', ['alone']],
    ]);
  });

  test('Leave out the others if there are none', () => {
    expect(shown({ subscriptions: [channel(1, 'only', { pin_to_top: true })] })).toEqual([
      ['Pinned', ['only']],
    ]);
    expect(shown({ subscriptions: [] })).toEqual([]);
  });
});

describe('Direct conversations', () => {
  const recent = (...all: [max_message_id: number, user_ids: number[]][]) => ({
    recent_private_conversations: all.map(([max_message_id, user_ids]) => ({ max_message_id, user_ids })),
  });

  test('Name the viewer if no one else is in one, and count unread messages in each', () => {
    const server = {
      ...unread({ pms: [withPerson(2, 7, 8)] }),
      ...recent([3, []], [8, [2]]),
    };
    expect(directConversations(server, 5)).toEqual([
      { userIds: [2], unread: 2 },
      { userIds: [VIEWER], unread: 0 },
    ]);
  });

  test('Appear once in any order of their people, and the ones with only unread messages come first', () => {
    const huddles = [{ user_ids_string: `${VIEWER},4,30`, unread_message_ids: [9] }];
    const server = {
      ...unread({ pms: [withPerson(6, 1)], huddles }),
      ...recent([9, [30, 4]], [10, [5]], [8, [4, 30]]),
    };
    expect(directConversations(server, 2)).toEqual([
      { userIds: [6], unread: 1 },
      { userIds: [5], unread: 0 },
      { userIds: [30, 4], unread: 1 },
    ]);
  });
});

const { all, personalAndFollowed, personal, nothing } = COUNTED;
const server = unread({
  count: 9,
  mentions: [1, 2],
  pms: [withPerson(2, 2, 3)],
  huddles: [{ user_ids_string: `${VIEWER},2,3`, unread_message_ids: [4, 5, 6] }],
  streams: [unreadTopic(9, 'logo', 1, 7), unreadTopic(9, 'Launch', 8)],
});
const counted = (desktop_icon_count_display: number): number =>
  countShown({
    ...{ ...server, user_topics: [topicPolicy('launch', 3)] },
    user_settings: { desktop_icon_count_display } as Snapshot['user_settings'],
  });

test('The title of the page counts mentions and direct messages once, and followed topics if the viewer wants them', () => {
  expect([all, personalAndFollowed, personal, nothing].map(counted)).toEqual([9, 7, 6, 0]);
  expect([all, personalAndFollowed, personal, nothing]).toEqual([1, 2, 3, 4]);
});
