import { describe, expect, test } from 'vitest';
import { applyEvents } from '#web/state/apply.ts';
import { stateOf } from '#web/state/state.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { serverAfter, snapshot } from '../scene.ts';

describe('The state of an edited message', () => {
  const edit = (fields: object) => ({
    ...{ type: 'update_message', message_id: 5, message_ids: [5], stream_id: 9, flags: [] },
    ...{ edit_timestamp: 7, rendering_only: false, ...fields },
  });

  test('Stays if neither mentions nor place changed', () => {
    const state = stateOf(snapshot());
    expect(applyEvents(state, [{ id: 1, ...edit({ rendered_content: 'new' }) } as WireEvent])).toBe(state);
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
