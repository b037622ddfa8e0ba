import { describe, expect, test } from 'vitest';
import { applyEvents } from '#web/state/apply.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { message, serverAfter, snapshot, unreadTopic, withUnread } from '../scene.ts';

const came = (one: Message) => ({ type: 'message', message: one, flags: [] });

describe('The state of an edited message', () => {
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

  test('Has the mentions of its current text', () => {
    const before = came(message(5));
    const mentionsAfter = (...events: object[]) => serverAfter({}, before, ...events).unread_msgs.mentions;
    expect(mentionsAfter(edit({ flags: ['mentioned'] }))).toEqual([5]);
    const mentioned = withUnread({ count: 1, streams: [unreadTopic(9, 'logo', 5)] });
    expect(serverAfter(mentioned, edit({ flags: ['mentioned'] })).unread_msgs.mentions).toEqual([5]);
    expect(mentionsAfter(edit({ flags: ['mentioned'] }), edit({ flags: [] }))).toEqual([]);
  });

  test('Stays if neither mentions nor place changed', () => {
    const state = stateOf(snapshot());
    expect(applyEvents(state, [{ id: 1, ...edit({ rendered_content: 'new' }) } as WireEvent])).toBe(state);
  });

  test('Has it unread at its new place, with the other moved messages', () => {
    const before = withUnread({ streams: [unreadTopic(9, 'logo', 4, 5, 6), unreadTopic(9, 'print', 7)] });
    const move = { message_ids: [5, 6], orig_subject: 'logo' };
    const streamsAfter = (fields: object) =>
      serverAfter(before, edit({ ...move, ...fields })).unread_msgs.streams;
    expect(streamsAfter({ subject: 'Paint' })).toEqual([
      unreadTopic(9, 'logo', 4),
      unreadTopic(9, 'Paint', 5, 6),
      unreadTopic(9, 'print', 7),
    ]);
    expect(streamsAfter({ new_stream_id: 10 })).toEqual([
      unreadTopic(9, 'logo', 4),
      unreadTopic(9, 'print', 7),
      unreadTopic(10, 'logo', 5, 6),
    ]);
    const elsewhere = edit({ ...move, message_ids: [77], subject: 'print' });
    expect(serverAfter(before, elsewhere).unread_msgs).toBe(before.unread_msgs);
  });

  test('Has the new spelling of its topic if it is the newest unread one there', () => {
    const others = [unreadTopic(8, 'print', 97), unreadTopic(9, 'alpha', 98)];
    const last = unreadTopic(10, 'PRINT', 99);
    const streamsAfter = (there: number) =>
      serverAfter(
        withUnread({
          streams: [...others, unreadTopic(9, 'logo', 5), unreadTopic(9, 'PRINT', 2, there), last],
        }),
        edit({ orig_subject: 'logo', subject: 'Print' }),
      ).unread_msgs.streams;
    expect(streamsAfter(4)).toEqual([...others, unreadTopic(9, 'Print', 2, 4, 5), last]);
    expect(streamsAfter(6)).toEqual([...others, unreadTopic(9, 'PRINT', 2, 5, 6), last]);
  });

  test('Does not know the newest message of a channel that the newest one left', () => {
    const newestAfter = (max_message_id: Snapshot['max_message_id'], fields: object) =>
      serverAfter({ max_message_id }, edit({ orig_subject: 'logo', ...fields })).max_message_id;
    expect(newestAfter(5, { new_stream_id: 10 })).toBe('unknown');
    expect(newestAfter(6, { new_stream_id: 10 })).toBe(6);
    expect(newestAfter(5, { subject: 'print' })).toBe(5);
    expect(newestAfter('unknown', { new_stream_id: 10 })).toBe('unknown');
  });
});

describe('The state of a deleted message', () => {
  const gone = (fields: object) => ({ type: 'delete_message', message_type: 'stream', ...fields });

  test.each([{ message_ids: [5, 7] }, { message_id: 5 }])('Has it neither unread nor starred: %j', (ids) => {
    const before = {
      ...withUnread({ count: 2, streams: [unreadTopic(9, 'logo', 4, 5)] }),
      starred_messages: [4, 5],
    };
    const after = serverAfter(before, gone(ids));
    expect(after.unread_msgs).toMatchObject({ count: 1, streams: [unreadTopic(9, 'logo', 4)] });
    expect(after.starred_messages).toEqual([4]);
  });

  test('Does not know the newest of all and of its conversation after that was deleted', () => {
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

  test('Leaves the conversations away that register left out', () => {
    const before = { recent_private_conversations: undefined } as unknown as Partial<Snapshot>;
    const after = serverAfter(before, gone({ message_ids: [5] }));
    expect(after.recent_private_conversations).toBeUndefined();
  });
});
