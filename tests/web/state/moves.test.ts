import { describe, expect, test } from 'vitest';
import { type Pending, stripOf } from '#web/state/feed/outbox.ts';
import { formerOf, goesAlong, isLeft, kindOf, movedBy, rememberMove } from '#web/state/moves.ts';
import { topicNarrow } from '#web/state/narrow.ts';
import type { UpdateEvent } from '#web/state/wire-events.ts';

const place = (topic: string, channelId = 9) => ({ type: 'stream' as const, channelId, topic });
const event = (fields: Partial<UpdateEvent>) =>
  ({ message_ids: [4, 5], stream_id: 9, orig_subject: 'plan', user_id: 2, ...fields }) as UpdateEvent;
const read = (fields: Partial<UpdateEvent>) => {
  const moved = movedBy(event(fields));
  if (!moved) throw new Error('Nothing moved.');
  return moved;
};

describe('Messages that move', () => {
  test('Name their places for a move, and nothing for an edit or another spelling', () => {
    expect(read({ subject: 'second', propagate_mode: 'change_all' })).toEqual({
      ...{ from: place('plan'), to: place('second'), mode: 'change_all', messageIds: [4, 5], userId: 2 },
    });
    const { orig_subject: _, ...edit } = event({ subject: 'b' });
    expect(movedBy(edit)).toBeUndefined();
    expect(movedBy(event({ subject: 'Plan' }))).toBeUndefined();
  });

  test('Have the type that fits their readers', () => {
    const reopened = { orig_subject: '✔ plan', subject: 'plan' };
    const moves = [{ subject: '✔ plan' }, reopened, { subject: 'b' }, { new_stream_id: 3 }];
    const kinds = moves.map((fields) => kindOf(read(fields)));
    expect(kinds).toEqual(['resolved', 'reopened', 'renamed', 'moved']);
  });

  test('Take readers along with all of a topic or its end, and not with a message from its middle', () => {
    expect(isLeft(topicNarrow(9, 'Plan'), read({ subject: 'b' }))).toBe(true);
    expect(isLeft(topicNarrow(8, 'plan'), read({ subject: 'b' }))).toBe(false);
    expect(goesAlong(read({ subject: 'b', propagate_mode: 'change_all' }), [9])).toBe(true);
    expect(goesAlong(read({ subject: 'b', propagate_mode: 'change_later' }), [1, 3])).toBe(true);
    expect(goesAlong(read({ subject: 'b', propagate_mode: 'change_one' }), [1, 3])).toBe(false);
    expect(goesAlong(read({ subject: 'b', propagate_mode: 'change_one' }), [])).toBe(true);
  });

  test('Redirect former titles through all later moves, until the title is used again', () => {
    let known = rememberMove([], { from: place('a'), to: place('b') });
    known = rememberMove(known, { from: place('b'), to: place('c', 10) });
    expect(formerOf(known, place('A'))).toEqual(place('c', 10));
    known = rememberMove(known, { from: place('c', 10), to: place('a') });
    expect(formerOf(known, place('a'))).toBeUndefined();
    expect(formerOf(known, place('b'))).toEqual(place('a'));
  });
});

describe('The strip above the composer', () => {
  const pending = (id: string, status: Pending['status'], topic = 'plan') =>
    ({ id, status, conversation: place(topic), content: id }) as Pending;
  const sent = { messageId: 7, conversation: place('Plan'), content: 'sent', timestamp: 1 };

  test('Shows a refusal first, then a pending message, then the last sent one', () => {
    const all = [pending('a', 'failed'), pending('b', 'waiting'), pending('c', 'failed', 'other')];
    expect(stripOf(place('plan'), all, sent, false)).toEqual({ kind: 'pending', pending: all[0] });
    expect(stripOf(place('plan'), all.slice(1), sent, false)).toEqual({ kind: 'pending', pending: all[1] });
    expect(stripOf(place('plan'), [], sent, false)).toEqual({ kind: 'sent', sent });
    expect(stripOf(place('other'), [], sent, false)).toBeUndefined();
  });

  test('Does not appear while the end of the feed is in view', () => {
    expect(stripOf(place('plan'), [pending('a', 'failed')], sent, true)).toBeUndefined();
  });
});
