import { describe, expect, test } from 'vitest';
import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import {
  addToDefaultGroup,
  createDefaultGroup,
  toGroupRecords,
} from '#shared/domain/channels/default-groups.ts';
import { defaultChannelsChange } from '#shared/domain/channels/defaults.ts';
import { channelEffects } from '#shared/domain/channels/role-effects.ts';
import { readDraft } from '#shared/domain/drafts/read.ts';
import { invitationsChanged } from '#shared/domain/invitations/changes.ts';
import type { Invitation } from '#shared/domain/invitations/invitation.ts';
import { composeMessage } from '#shared/domain/messages/compose.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { historyOf, statesOf } from '#shared/domain/messages/editing/history.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { typingChange } from '#shared/domain/messages/typing.ts';
import { summarizeUnread } from '#shared/domain/messages/unread.ts';
import { domainsOf } from '#shared/domain/organization/domains.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { unreadEvent } from '#shared/domain/reading/events.ts';
import { packIds, unpackIds } from '#shared/domain/reading/id-list.ts';
import { toTarget } from '#shared/domain/scheduled-messages/changes.ts';
import { inOrder, type TopicPreference } from '#shared/domain/topics/preference.ts';
import { listObjections } from '#shared/domain/user-groups/deactivate.ts';
import { type Group, toGroupRecord } from '#shared/domain/user-groups/group.ts';
import { normalizeGroupSetting } from '#shared/domain/user-groups/group-setting.ts';
import { membershipChange, withSubgroups } from '#shared/domain/user-groups/members.ts';
import { type Role, roles, type User } from '#shared/domain/users/user.ts';
import { readSubmessages } from '#shared/domain/widgets/changes.ts';

/** In the order of numbers 9, 10, 100; as texts they would be 10, 100, 9. */
const MIXED = [100, 9, 10];
const SORTED = [9, 10, 100];

const user = (userId: number, role: Role = roles.member): User =>
  ({ userId, email: `u${userId}@x.org`, role }) as User;
const payloadsOf = ({ events = [] }: Pick<Change, 'events'>) => events.map(({ payload }) => payload);
const channelsOf = (ids: number[]) =>
  ids.map((channelId) => ({ channelId, name: `${channelId}` }) as Channel);
const linker = { findLinks: () => [] } as never;

describe('Ids come in ascending order', () => {
  test('For the people of a conversation, each once', () => {
    expect(conversationKey([...MIXED, 9])).toBe('9,10,100');
  });

  test('For the members and groups of a setting, each once', () => {
    expect(
      normalizeGroupSetting({ direct_members: [...MIXED, 9], direct_subgroups: [...MIXED, 10] }),
    ).toEqual({
      direct_members: SORTED,
      direct_subgroups: SORTED,
    });
  });

  test('For the subgroups of a group', () => {
    const group = { subgroupIds: MIXED, groups: {} } as Group;
    expect(toGroupRecord(group, []).direct_subgroup_ids).toEqual(SORTED);
    const request = { add: [], delete: [], addSubgroups: [9], deleteSubgroups: [7] };
    expect(withSubgroups({ ...group, subgroupIds: [100, 7, 10] }, request).subgroupIds).toEqual(SORTED);
  });

  test('For users who join or leave a group', () => {
    const group = { groupId: 1_000, subgroupIds: [11, 12, 13], groups: {} } as Group;
    const request = {
      add: MIXED,
      delete: [300, 29, 200],
      addSubgroups: MIXED,
      deleteSubgroups: [13, 11, 12],
    };
    const seen = { graphRevision: 0, visibilityRevision: {} as never };
    const payloads = payloadsOf(
      membershipChange({ group, memberIds: new Set([29, 200, 300]) }, request, seen),
    );
    expect(payloads).toMatchObject([
      { op: 'add_members', user_ids: SORTED },
      { op: 'remove_members', user_ids: [29, 200, 300] },
      { op: 'add_subgroups', direct_subgroup_ids: SORTED },
      { op: 'remove_subgroups', direct_subgroup_ids: [11, 12, 13] },
    ]);
  });

  test('For default channels, when they change and when a guest becomes a member', () => {
    const change = defaultChannelsChange(
      { channelIds: [100, 7], revision: 0 },
      { added: [10, 9], removed: [7] },
    );
    expect(payloadsOf(change)).toMatchObject([{ default_streams: SORTED }]);
    const given = { channelIds: MIXED, groups: { groups: [], lastId: 0, revision: 0 } };
    const effects = channelEffects(user(10, roles.guest), user(10), [], given);
    expect(payloadsOf({ events: effects })).toMatchObject([{ default_streams: SORTED }, {}]);
  });

  test('For the channels of a default channel group, each once', () => {
    const none = { groups: [], lastId: 0, revision: 0 };
    const named = { name: 'a', description: '', defaultChannelIds: [] };
    const created = createDefaultGroup(none, { ...named, channels: channelsOf([...MIXED, 9]) });
    expect(payloadsOf(created)).toMatchObject([{ default_stream_groups: [{ streams: SORTED }] }]);
    const group = { id: 1, name: 'a', description: '', channelIds: [100] };
    const added = addToDefaultGroup({ groups: [group], lastId: 1, revision: 1 }, 1, {
      channels: channelsOf([10, 9]),
      defaultChannelIds: [],
    });
    expect(payloadsOf(added ?? {})).toMatchObject([{ default_stream_groups: [{ streams: SORTED }] }]);
  });

  test('For the people of a draft, without its author if there are others', () => {
    const addresses = { authorId: 10, userIds: new Set([9, 10, 100, 200]), channelIds: new Set<number>() };
    const read = (to: number[]) =>
      readDraft({ type: 'private', to, topic: '', content: 'x' }, addresses, 0).target;
    expect(read([200, 10, 9, 100, 9, 5_000])).toEqual({ kind: 'direct', userIds: [9, 100, 200] });
    expect(read([10])).toEqual({ kind: 'direct', userIds: [10] });
  });

  test('For the recipients of a direct message, and of its typing event', () => {
    const destination = { kind: 'direct' as const, users: [user(100), user(9), user(10)] };
    const draft = { text: { content: '', html: '' }, client: '', isReadBySender: true };
    const message = composeMessage(user(10), destination as never, draft, 0, linker);
    expect(message).toMatchObject({ recipients: SORTED.map((id) => ({ id })) });
    const typing = typingChange(user(10), destination as never, 'start');
    expect(payloadsOf(typing ?? {})).toMatchObject([{ recipients: SORTED.map((user_id) => ({ user_id })) }]);
  });

  test('For the recipients of a scheduled message', () => {
    const target = toTarget({ kind: 'direct', users: MIXED.map((id) => user(id)) });
    expect(target).toEqual({ kind: 'direct', userIds: SORTED });
  });

  test('For the others in a conversation that became unread', () => {
    const message = { messageId: 5, kind: 'direct', recipients: [100, 7, 9, 10].map((id) => ({ id })) };
    const hearing = { isMuted: () => false, isCall: () => false };
    const { payload } = unreadEvent(7, [message as never], hearing);
    expect(payload).toMatchObject({ places: [{ userIds: SORTED }] });
  });

  test('For the inviters whose invitations have changed, each once', () => {
    const invitations = [...MIXED, 9].map((inviterId) => ({ inviterId, kind: 'email' }) as Invitation);
    expect(invitationsChanged(invitations)).toMatchObject([{ audience: { orUserIds: SORTED } }]);
  });

  test('For a packed list', () => {
    expect(unpackIds(packIds(MIXED))).toEqual(SORTED);
  });

  test('For submessages of one user', () => {
    const item = { userId: 7, s100: ['widget', 'c'], s9: ['widget', 'a'], s10: ['widget', 'b'], bytes: 3 };
    expect(readSubmessages(item).map(({ id }) => id)).toEqual(SORTED);
  });
});

describe('Names come in alphabetical order', () => {
  test('For domains', () => {
    const domains = { 'c.org': false, 'a.org': true, 'b.org': false };
    expect(domainsOf({ domains } as unknown as Organization).map(({ domain }) => domain)).toEqual([
      'a.org',
      'b.org',
      'c.org',
    ]);
  });

  test('For default channel groups', () => {
    const groups = ['c', 'a', 'b'].map((name, id) => ({ id, name, description: '', channelIds: [] }));
    const records = toGroupRecords({ groups, lastId: 3, revision: 1 });
    expect(records.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('For the topics with policies of a user, channel by channel', () => {
    const preferences = [
      [100, 'a'],
      [9, 'Charlie'],
      [9, 'bravo'],
      [10, 'b'],
      [9, 'Alpha'],
    ].map(([channelId, topic]) => ({ channelId, topic }) as TopicPreference);
    expect(inOrder(preferences).map(({ channelId, topic }) => [channelId, topic])).toEqual([
      [9, 'Alpha'],
      [9, 'bravo'],
      [9, 'Charlie'],
      [10, 'b'],
      [100, 'a'],
    ]);
  });

  test('For the settings that name a group, with the settings of hidden channels together', () => {
    const naming = (names: string[]) => Object.fromEntries(names.map((name) => [name, 50]));
    const channel = (channelId: number, names: string[], isArchived = false) =>
      ({ channelId, groups: { other: 1, ...naming(names) }, isArchived }) as unknown as Channel;
    const groups = [
      { groupId: 70, subgroupIds: [50], groups: naming(['c', 'a']), isDeactivated: false },
      { groupId: 71, subgroupIds: [50], groups: naming(['b']), isDeactivated: true },
      { groupId: 72, subgroupIds: [], groups: { other: 1 }, isDeactivated: false },
    ] as unknown as Group[];
    const channels = [
      { channel: channel(1, ['c', 'b']), isKnown: true },
      { channel: channel(2, ['d', 'b']), isKnown: false },
      { channel: channel(3, ['c', 'b']), isKnown: false },
      { channel: channel(4, ['a'], true), isKnown: true },
      { channel: channel(5, []), isKnown: true },
    ];
    expect(listObjections(50, { groups, channels, organization: naming(['z', 'y']) as never })).toEqual([
      { type: 'subgroup', supergroup_ids: [70] },
      { type: 'channel', channel_id: 1, settings: ['b', 'c'] },
      { type: 'channel', settings: ['b', 'c', 'd'] },
      { type: 'user_group', group_id: 70, settings: ['a', 'c'] },
      { type: 'realm', settings: ['y', 'z'] },
    ]);
  });
});

test('Unread messages are grouped by conversation, and the conversations sorted', () => {
  const direct = (messageId: number, ids: number[]) => ({
    ...{ messageId, kind: 'direct', recipients: ids.map((id) => ({ id })) },
  });
  const inTopic = (messageId: number, channelId: number, topic: string) => ({
    ...{ messageId, kind: 'channel', channelId, topic },
  });
  const unread = [
    ...[direct(1, [7, 100]), direct(2, [7, 9]), direct(3, [7, 8, 9]), direct(4, [5, 7, 8])],
    ...[inTopic(5, 100, 'a'), inTopic(6, 9, 'B'), inTopic(7, 9, 'a'), inTopic(8, 9, 'b'), inTopic(9, 9, '')],
    direct(10, [7]),
  ];
  const options = {
    ...{ userId: 7, subscriptions: new Map(), policies: new Map() as never, allowsEmptyTopic: false },
    ...{ isPartial: false, recipientSets: new Map() as never },
  };
  const { pms, streams, huddles } = summarizeUnread(unread as never, options);
  expect(pms.map((one) => [one.other_user_id, one.unread_message_ids])).toEqual([
    [7, [10]],
    [9, [2]],
    [100, [1]],
  ]);
  expect(huddles.map((one) => [one.user_ids_string, one.unread_message_ids])).toEqual([
    ['5,7,8', [4]],
    ['7,8,9', [3]],
  ]);
  expect(streams.map((one) => [one.stream_id, one.topic, one.unread_message_ids])).toEqual([
    [9, 'a', [7]],
    [9, 'b', [6, 8]],
    [9, 'general chat', [9]],
    [100, 'a', [5]],
  ]);
});

test('The history of a message begins with its newest change, and its states with the first', () => {
  const by = { userId: 7, atSeconds: 1 };
  const texts = [
    { ...by, position: 30, content: 'second', html: 'second' },
    { ...by, position: 9, content: 'first', html: 'first' },
  ];
  const moves = [{ ...by, position: 100, topic: 'old' }];
  const message = {
    ...{ kind: 'channel', senderId: 7, atSeconds: 0, content: 'third', html: 'third', topic: 'new' },
    ...{ channelId: 1, moves },
  } as unknown as Message;
  const history = historyOf(message, texts.toReversed());
  expect(history.map(({ content, topic }) => content?.before ?? topic?.before)).toEqual([
    'old',
    'second',
    'first',
  ]);
  expect(statesOf(message, history).map(({ content, topic }) => [content, topic])).toEqual([
    ['first', 'old'],
    ['second', 'old'],
    ['third', 'old'],
    ['third', 'new'],
  ]);
});
