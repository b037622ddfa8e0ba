import { describe, expect, test } from 'vitest';
import { applyEvents } from '#web/state/apply.ts';
import { placeOf, recipientIds } from '#web/state/messages.ts';
import { stateOf } from '#web/state/state.ts';
import { directPlace } from '#web/state/unread.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { message, serverAfter, snapshot, unreadTopic, VIEWER, withUnread } from '../scene.ts';

const people = (...ids: number[]) => ids.map((id) => ({ id, full_name: '', email: '' }));
const direct = (id: number, ...others: number[]): Message => {
  const { stream_id: _, ...rest } = message(id);
  return { ...rest, type: 'private', subject: '', display_recipient: people(VIEWER, ...others) };
};
const came = (one: Message, flags: string[] = []) => ({ type: 'message', message: one, flags });
const withPerson = (other_user_id: number, ...unread_message_ids: number[]) => ({
  ...{ other_user_id, sender_id: other_user_id, unread_message_ids },
});
const withPeople = (user_ids_string: string, ...unread_message_ids: number[]) => ({
  ...{ user_ids_string, unread_message_ids },
});
describe('The place of a message', () => {
  test('Has its topic, one other person, the viewer alone, or all people in the order of their ids', () => {
    expect(placeOf(VIEWER, message(5))).toEqual({ stream_id: 9, topic: 'logo' });
    expect(placeOf(VIEWER, direct(5, 3))).toEqual({ other_user_id: 3 });
    expect(directPlace(VIEWER, [])).toEqual({ other_user_id: VIEWER });
    expect(directPlace(VIEWER, [VIEWER])).toEqual({ other_user_id: VIEWER });
    expect(directPlace(20, [100, 20, 3])).toEqual({ user_ids_string: '3,20,100' });
    expect(directPlace(20, [100, 3])).toEqual({ user_ids_string: '3,20,100' });
  });

  test('Has no people if it is a channel', () => {
    expect(recipientIds(message(5))).toEqual([]);
    expect(recipientIds(direct(5, 3))).toEqual([VIEWER, 3]);
  });
});

describe('A new message', () => {
  test('Becomes unread at its place, and all places stay sorted', () => {
    const messages = [
      message(5, { stream_id: 10 }),
      message(6, { subject: 'print' }),
      message(7, { subject: 'Logo' }),
      message(8),
      direct(9, 4),
      direct(10, 3),
      direct(11, 30, 4),
      direct(12, 3, 4),
      direct(13, 4),
    ];
    const { unread_msgs } = serverAfter({}, ...messages.map((one) => came(one)));
    expect(unread_msgs).toMatchObject({
      streams: [unreadTopic(9, 'logo', 7, 8), unreadTopic(9, 'print', 6), unreadTopic(10, 'logo', 5)],
      pms: [withPerson(3, 10), withPerson(4, 9, 13)],
      huddles: [withPeople('1,3,4', 12), withPeople('1,4,30', 11)],
    });
    expect(unread_msgs.count).toBe(8);
  });

  test('Does not become unread if it is read, and is the newest all the same', () => {
    const after = serverAfter({}, came(message(5), ['read']));
    expect(after.unread_msgs).toEqual(snapshot().unread_msgs);
    expect(after.max_message_id).toBe(5);
  });

  test('Does not become the newest if it is one of the past', () => {
    const after = serverAfter({ max_message_id: 9 }, came(message(5), ['read', 'historical']));
    expect(after.max_message_id).toBe(9);
  });

  test('Makes its conversation the newest one, which appears once', () => {
    const before = {
      recent_private_conversations: [
        { max_message_id: 4, user_ids: [3] },
        { max_message_id: 3, user_ids: [3, 4] },
      ],
    };
    const recentAfter = (one: Message) => serverAfter(before, came(one)).recent_private_conversations;
    const [withThree, withBoth] = before.recent_private_conversations;
    expect(recentAfter(direct(5, 3, 4))).toEqual([{ max_message_id: 5, user_ids: [3, 4] }, withThree]);
    expect(recentAfter(direct(5))).toEqual([{ max_message_id: 5, user_ids: [] }, withThree, withBoth]);
    expect(recentAfter(message(5))).toEqual([withThree, withBoth]);
  });

  test.each([
    [['mentioned'], 9, [6]],
    [['stream_wildcard_mentioned'], 9, [6]],
    [['topic_wildcard_mentioned'], 9, [6]],
    [['has_alert_word'], 9, []],
    [['mentioned', 'read'], 9, []],
    [['mentioned'], 10, [6]],
    [['stream_wildcard_mentioned'], 10, []],
  ])('With the flags %j in the channel %i counts as a mention: %j', (flags, stream_id, mentions) => {
    expect(serverAfter({}, came(message(6, { stream_id }), flags)).unread_msgs.mentions).toEqual(mentions);
  });

  test('Counts as a mention in a direct conversation too, and mentions are sorted by id', () => {
    const events = [came(message(5), ['mentioned']), came(direct(6, 3), ['mentioned'])];
    expect(serverAfter({}, ...events).unread_msgs).toMatchObject({ count: 2, mentions: [5, 6] });
  });
});

describe('The mentions of register', () => {
  const before = withUnread({ count: 1, mentions: [5], streams: [unreadTopic(9, 'logo', 5)] });

  test('Stay until they are read', () => {
    const flag = { type: 'update_message_flags', flag: 'read', op: 'add', messages: [5], all: false };
    expect(serverAfter(before, came(message(6))).unread_msgs).toMatchObject({ count: 2, mentions: [5] });
    expect(serverAfter(before, flag).unread_msgs).toMatchObject({ count: 0, mentions: [] });
  });

  test('Do not exist if register left them out', () => {
    const { unread_msgs: _, ...rest } = snapshot();
    expect([...stateOf(rest as Snapshot).calls]).toEqual([]);
    expect([...stateOf({ ...rest, ...before }).calls]).toEqual([[5, 'counted']]);
  });
});

describe('Flags in the state', () => {
  const flags = (flag: string, op: string, messages: number[], message_details?: object) => ({
    ...{ type: 'update_message_flags', flag, op, messages, all: false, message_details },
  });

  test('Star messages, which are sorted by id and appear once', () => {
    const starredAfter = (op: string, ...ids: number[]) =>
      serverAfter({ starred_messages: [4, 100] }, flags('starred', op, ids)).starred_messages;
    expect(starredAfter('add', 20, 4)).toEqual([4, 20, 100]);
    expect(starredAfter('remove', 4, 7)).toEqual([100]);
  });

  test('Change nothing if the client does not keep them', () => {
    const state = stateOf(snapshot());
    const event = { id: 1, ...flags('collapsed', 'add', [5]) } as WireEvent;
    expect(applyEvents(state, [event])).toBe(state);
  });

  test('Remove read messages only, wherever they were', () => {
    const before = withUnread({
      count: 9,
      streams: [unreadTopic(9, 'logo', 1, 2), unreadTopic(9, 'print', 3)],
      pms: [withPerson(3, 4, 5), withPerson(4, 6)],
      huddles: [withPeople('1,3,4', 7), withPeople('1,3,5', 8, 9)],
    });
    expect(serverAfter(before, flags('read', 'add', [2, 3, 4, 6, 7, 9, 77])).unread_msgs).toMatchObject({
      count: 3,
      streams: [unreadTopic(9, 'logo', 1)],
      pms: [withPerson(3, 5)],
      huddles: [withPeople('1,3,5', 8)],
    });
  });

  test('Leave lists unchanged that have none of the read messages', () => {
    const before = withUnread({
      streams: [unreadTopic(9, 'logo', 1), unreadTopic(9, 'print', 2)],
      pms: [withPerson(3, 4)],
      huddles: [withPeople('1,3,4', 7)],
    });
    const after = serverAfter(before, flags('read', 'add', [1])).unread_msgs;
    expect(after.pms).toBe(before.unread_msgs.pms);
    expect(after.huddles).toBe(before.unread_msgs.huddles);
    expect(after.streams[0]).toBe(before.unread_msgs.streams[1]);
    const others = serverAfter(before, flags('read', 'add', [4, 7])).unread_msgs;
    expect(others.streams).toBe(before.unread_msgs.streams);
    expect([others.pms, others.huddles]).toEqual([[], []]);
    expect(serverAfter(before, flags('read', 'add', [4])).unread_msgs.pms).toEqual([]);
    expect(serverAfter(before, flags('read', 'add', [7])).unread_msgs.huddles).toEqual([]);
    expect(serverAfter(before, flags('read', 'add', [99])).unread_msgs).toBe(before.unread_msgs);
  });

  test('Put unread messages at the place of the event, and a topic keeps its spelling', () => {
    const before = withUnread({ count: 1, streams: [unreadTopic(9, 'LOGO', 20)] });
    const details = {
      5: { type: 'stream', stream_id: 9, topic: 'logo' },
      6: { type: 'private', user_ids: [3] },
      7: { type: 'private', user_ids: [4, 3] },
    };
    const after = serverAfter(before, flags('read', 'remove', [5, 6, 7, 8], details)).unread_msgs;
    expect(after).toMatchObject({
      count: 4,
      mentions: [],
      streams: [unreadTopic(9, 'LOGO', 5, 20)],
      pms: [withPerson(3, 6)],
      huddles: [withPeople('1,3,4', 7)],
    });
    expect(serverAfter(before, flags('read', 'remove', [5])).unread_msgs.streams).toEqual([
      unreadTopic(9, 'LOGO', 20),
    ]);
  });

  test('Set for unread messages whether they mention the viewer', () => {
    const at = (mentioned?: boolean) => ({
      5: { type: 'stream', stream_id: 9, topic: 'logo', ...(mentioned !== undefined && { mentioned }) },
    });
    const mentionsAfter = (...events: object[]) => serverAfter({}, ...events).unread_msgs.mentions;
    const again = (mentioned?: boolean) => flags('read', 'remove', [5], at(mentioned));
    expect(mentionsAfter(again(true))).toEqual([5]);
    expect(mentionsAfter(again(false))).toEqual([]);
    expect(mentionsAfter(again())).toEqual([]);
    expect(mentionsAfter(came(message(5), ['mentioned']), again(false))).toEqual([]);
  });

  test('Keep for unread messages the known kind of mention: a wildcard of a muted channel stays silent', () => {
    const wildcard = came(message(5, { stream_id: 10 }), ['stream_wildcard_mentioned']);
    const details = { 5: { type: 'stream', stream_id: 10, topic: 'logo', mentioned: true } };
    const again = flags('read', 'remove', [5], details);
    expect(serverAfter({}, wildcard, again).unread_msgs.mentions).toEqual([]);
    expect(serverAfter({}, again).unread_msgs.mentions).toEqual([5]);
  });
});
