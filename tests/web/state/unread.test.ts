import { describe, expect, test } from 'vitest';
import { applyEvents } from '#web/state/apply.ts';
import { placeOf, recipientIds } from '#web/state/messages.ts';
import { stateOf } from '#web/state/state.ts';
import { directPlace } from '#web/state/unread.ts';
import type { Snapshot, Unread, WireEvent } from '#web/state/wire.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { message, serverAfter, snapshot, VIEWER } from '../scene.ts';

const people = (...ids: number[]) => ids.map((id) => ({ id, full_name: '', email: '' }));
const direct = (id: number, ...others: number[]): Message => {
  const { stream_id: _, ...rest } = message(id);
  return { ...rest, type: 'private', subject: '', display_recipient: people(VIEWER, ...others) };
};
const came = (one: Message, flags: string[] = []) => ({ type: 'message', message: one, flags });
const topic = (stream_id: number, name: string, ...unread_message_ids: number[]) => ({
  ...{ stream_id, topic: name, unread_message_ids },
});
const withPerson = (other_user_id: number, ...unread_message_ids: number[]) => ({
  ...{ other_user_id, sender_id: other_user_id, unread_message_ids },
});
const withPeople = (user_ids_string: string, ...unread_message_ids: number[]) => ({
  ...{ user_ids_string, unread_message_ids },
});
const unread = (fields: Partial<Unread>): Pick<Snapshot, 'unread_msgs'> => ({
  unread_msgs: { ...snapshot().unread_msgs, ...fields },
});

describe('the place of a message', () => {
  test('is its topic, one other person, the viewer alone, or all people in the order of their ids', () => {
    expect(placeOf(VIEWER, message(5))).toEqual({ stream_id: 9, topic: 'logo' });
    expect(placeOf(VIEWER, direct(5, 3))).toEqual({ other_user_id: 3 });
    expect(directPlace(VIEWER, [])).toEqual({ other_user_id: VIEWER });
    expect(directPlace(VIEWER, [VIEWER])).toEqual({ other_user_id: VIEWER });
    expect(directPlace(20, [100, 20, 3])).toEqual({ user_ids_string: '3,20,100' });
    expect(directPlace(20, [100, 3])).toEqual({ user_ids_string: '3,20,100' });
  });

  test('has no people where it is a channel', () => {
    expect(recipientIds(message(5))).toEqual([]);
    expect(recipientIds(direct(5, 3))).toEqual([VIEWER, 3]);
  });
});

describe('a new message', () => {
  test('is unread at its place, and all places stand in their order', () => {
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
      streams: [topic(9, 'logo', 7, 8), topic(9, 'print', 6), topic(10, 'logo', 5)],
      pms: [withPerson(3, 10), withPerson(4, 9, 13)],
      huddles: [withPeople('1,3,4', 12), withPeople('1,4,30', 11)],
    });
    expect(unread_msgs.count).toBe(8);
  });

  test('that is read is not unread, and is the newest all the same', () => {
    const after = serverAfter({}, came(message(5), ['read']));
    expect(after.unread_msgs).toEqual(snapshot().unread_msgs);
    expect(after.max_message_id).toBe(5);
  });

  test('that someone shows the viewer from the past is not the newest', () => {
    const after = serverAfter({ max_message_id: 9 }, came(message(5), ['read', 'historical']));
    expect(after.max_message_id).toBe(9);
  });

  test('makes its conversation the newest one, which stands once', () => {
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
  ])('with the flags %j in the channel %i calls on the viewer: %j', (flags, stream_id, mentions) => {
    expect(serverAfter({}, came(message(6, { stream_id }), flags)).unread_msgs.mentions).toEqual(mentions);
  });

  test('calls on the viewer in a direct conversation too, and the calls stand in the order of their ids', () => {
    const events = [came(message(6), ['mentioned']), came(direct(5, 3), ['mentioned'])];
    expect(serverAfter({}, ...events).unread_msgs).toMatchObject({ count: 2, mentions: [5, 6] });
  });
});

describe('what register counted as a call', () => {
  const before = unread({ count: 1, mentions: [5], streams: [topic(9, 'logo', 5)] });

  test('stays one until it is read', () => {
    const flag = { type: 'update_message_flags', flag: 'read', op: 'add', messages: [5], all: false };
    expect(serverAfter(before, came(message(6))).unread_msgs).toMatchObject({ count: 2, mentions: [5] });
    expect(serverAfter(before, flag).unread_msgs).toMatchObject({ count: 0, mentions: [] });
  });

  test('is none where register did not count at all', () => {
    const { unread_msgs: _, ...rest } = snapshot();
    expect([...stateOf(rest as Snapshot).calls]).toEqual([]);
    expect([...stateOf({ ...rest, ...before }).calls]).toEqual([[5, 'counted']]);
  });
});

describe('flags', () => {
  const flags = (flag: string, op: string, messages: number[], message_details?: object) => ({
    ...{ type: 'update_message_flags', flag, op, messages, all: false, message_details },
  });

  test('star messages, which stand in the order of their ids and once', () => {
    const starredAfter = (op: string, ...ids: number[]) =>
      serverAfter({ starred_messages: [4, 100] }, flags('starred', op, ids)).starred_messages;
    expect(starredAfter('add', 20, 4)).toEqual([4, 20, 100]);
    expect(starredAfter('remove', 4, 7)).toEqual([100]);
  });

  test('that the client keeps nothing of change nothing', () => {
    const state = stateOf(snapshot());
    const event = { id: 1, ...flags('collapsed', 'add', [5]) } as WireEvent;
    expect(applyEvents(state, [event])).toBe(state);
  });

  test('that say read take away those messages alone, wherever they were', () => {
    const before = unread({
      count: 9,
      streams: [topic(9, 'logo', 1, 2), topic(9, 'print', 3)],
      pms: [withPerson(3, 4, 5), withPerson(4, 6)],
      huddles: [withPeople('1,3,4', 7), withPeople('1,3,5', 8, 9)],
    });
    expect(serverAfter(before, flags('read', 'add', [2, 3, 4, 6, 7, 9, 77])).unread_msgs).toMatchObject({
      count: 3,
      streams: [topic(9, 'logo', 1)],
      pms: [withPerson(3, 5)],
      huddles: [withPeople('1,3,5', 8)],
    });
  });

  test('that say read leave the lists that have none of the messages as they were', () => {
    const before = unread({
      streams: [topic(9, 'logo', 1), topic(9, 'print', 2)],
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
  });

  test('that say unread put each message where the event says, and a topic keeps its spelling', () => {
    const before = unread({ count: 1, streams: [topic(9, 'LOGO', 20)] });
    const details = {
      5: { type: 'stream', stream_id: 9, topic: 'logo' },
      6: { type: 'private', user_ids: [3] },
      7: { type: 'private', user_ids: [4, 3] },
    };
    const after = serverAfter(before, flags('read', 'remove', [5, 6, 7, 8], details)).unread_msgs;
    expect(after).toMatchObject({
      count: 4,
      mentions: [],
      streams: [topic(9, 'LOGO', 5, 20)],
      pms: [withPerson(3, 6)],
      huddles: [withPeople('1,3,4', 7)],
    });
    expect(serverAfter(before, flags('read', 'remove', [5])).unread_msgs.streams).toEqual([
      topic(9, 'LOGO', 20),
    ]);
  });

  test('that say unread say whether a message calls on the viewer', () => {
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

  test('that say unread leave what is known of a call: a wildcard of a muted channel stays silent', () => {
    const wildcard = came(message(5, { stream_id: 10 }), ['stream_wildcard_mentioned']);
    const details = { 5: { type: 'stream', stream_id: 10, topic: 'logo', mentioned: true } };
    const again = flags('read', 'remove', [5], details);
    expect(serverAfter({}, wildcard, again).unread_msgs.mentions).toEqual([]);
    expect(serverAfter({}, again).unread_msgs.mentions).toEqual([5]);
  });
});

describe('an edited message', () => {
  const edit = (fields: object) => ({
    ...{
      type: 'update_message',
      message_id: 5,
      message_ids: [5],
      stream_id: 9,
      flags: [],
      edit_timestamp: 7,
    },
    ...{ rendering_only: false, ...fields },
  });

  test('calls on the viewer by what it says now', () => {
    const before = came(message(5));
    const mentionsAfter = (...events: object[]) => serverAfter({}, before, ...events).unread_msgs.mentions;
    expect(mentionsAfter(edit({ flags: ['mentioned'] }))).toEqual([5]);
    expect(mentionsAfter(edit({ flags: ['mentioned'] }), edit({ flags: [] }))).toEqual([]);
  });

  test('that neither calls nor moved changes nothing', () => {
    const state = stateOf(snapshot());
    expect(applyEvents(state, [{ id: 1, ...edit({ rendered_content: 'new' }) } as WireEvent])).toBe(state);
  });

  test('that moved is unread where it is now, with those that moved with it', () => {
    const before = unread({ streams: [topic(9, 'logo', 4, 5, 6), topic(9, 'print', 7)] });
    const move = { message_ids: [5, 6], orig_subject: 'logo' };
    const streamsAfter = (fields: object) =>
      serverAfter(before, edit({ ...move, ...fields })).unread_msgs.streams;
    expect(streamsAfter({ subject: 'Paint' })).toEqual([
      topic(9, 'logo', 4),
      topic(9, 'Paint', 5, 6),
      topic(9, 'print', 7),
    ]);
    expect(streamsAfter({ new_stream_id: 10 })).toEqual([
      topic(9, 'logo', 4),
      topic(9, 'print', 7),
      topic(10, 'logo', 5, 6),
    ]);
    const elsewhere = edit({ ...move, message_ids: [77], subject: 'print' });
    expect(serverAfter(before, elsewhere).unread_msgs).toBe(before.unread_msgs);
  });

  test('that moved spells the topic anew where it is the newest unread one there', () => {
    const streamsAfter = (there: number) =>
      serverAfter(
        unread({ streams: [topic(9, 'logo', 5), topic(9, 'print', 2, there), topic(10, 'PRINT', 99)] }),
        edit({ orig_subject: 'logo', subject: 'Print' }),
      ).unread_msgs.streams;
    expect(streamsAfter(4)).toEqual([topic(9, 'Print', 2, 4, 5), topic(10, 'PRINT', 99)]);
    expect(streamsAfter(6)).toEqual([topic(9, 'print', 2, 5, 6), topic(10, 'PRINT', 99)]);
  });

  test('that was the newest and left its channel leaves unknown which is the newest', () => {
    const newestAfter = (max_message_id: Snapshot['max_message_id'], fields: object) =>
      serverAfter({ max_message_id }, edit({ orig_subject: 'logo', ...fields })).max_message_id;
    expect(newestAfter(5, { new_stream_id: 10 })).toBe('unknown');
    expect(newestAfter(6, { new_stream_id: 10 })).toBe(6);
    expect(newestAfter(5, { subject: 'print' })).toBe(5);
    expect(newestAfter('unknown', { new_stream_id: 10 })).toBe('unknown');
  });
});

describe('a deleted message', () => {
  const gone = (fields: object) => ({ type: 'delete_message', message_type: 'stream', ...fields });

  test.each([{ message_ids: [5, 7] }, { message_id: 5 }])('is neither unread nor starred: %j', (ids) => {
    const before = {
      ...unread({ count: 2, streams: [topic(9, 'logo', 4, 5)] }),
      starred_messages: [4, 5],
    };
    const after = serverAfter(before, gone(ids));
    expect(after.unread_msgs).toMatchObject({ count: 1, streams: [topic(9, 'logo', 4)] });
    expect(after.starred_messages).toEqual([4]);
  });

  test('that was the newest leaves unknown which is the newest, of all and of its conversation', () => {
    const recent = (max_message_id: number | 'unknown') => ({ max_message_id, user_ids: [3] });
    const before = {
      max_message_id: 5,
      recent_private_conversations: [recent(5), recent(4), recent('unknown')],
    };
    const after = serverAfter(before, gone({ message_ids: [5] }));
    expect(after.max_message_id).toBe('unknown');
    expect(after.recent_private_conversations).toEqual([recent('unknown'), recent(4), recent('unknown')]);
    expect(serverAfter(before, gone({ message_ids: [3] }))).toMatchObject(before);
    expect(serverAfter({ ...before, max_message_id: 'unknown' }, gone({})).max_message_id).toBe('unknown');
  });

  test('leaves away the conversations that register did not tell', () => {
    const before = { recent_private_conversations: undefined } as unknown as Partial<Snapshot>;
    const after = serverAfter(before, gone({ message_ids: [5] }));
    expect(after.recent_private_conversations).toBeUndefined();
  });
});
