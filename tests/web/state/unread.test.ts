import { describe, expect, test } from 'vitest';
import { applyEvents } from '#web/state/apply.ts';
import { placeOf, recipientIds } from '#web/state/messages.ts';
import { stateOf } from '#web/state/state.ts';
import { directPlace } from '#web/state/unread.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { direct, message, serverAfter, snapshot, unreadTopic, VIEWER, withUnread } from '../scene.ts';

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

const before = withUnread({ count: 1, mentions: [5], streams: [unreadTopic(9, 'logo', 5)] });

test('The mentions of register do not exist if register left them out', () => {
  const { unread_msgs: _, ...rest } = snapshot();
  expect([...stateOf(rest as Snapshot).calls]).toEqual([]);
  expect([...stateOf({ ...rest, ...before }).calls]).toEqual([[5, 'counted']]);
});

describe('Flags in the state', () => {
  const flags = (flag: string, op: string, messages: number[], message_details?: object) => ({
    ...{ type: 'update_message_flags', flag, op, messages, all: false, message_details },
  });

  test('Change nothing if the client does not keep them', () => {
    const state = stateOf(snapshot());
    const event = { id: 1, ...flags('collapsed', 'add', [5]) } as WireEvent;
    expect(applyEvents(state, [event])).toBe(state);
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
});
