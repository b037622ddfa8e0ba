import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { always } from '#tests/harness/property.ts';
import {
  afterPoll,
  afterText,
  beginSocket,
  type Ending,
  endSocket,
  type Follower,
  followFrom,
  progressOf,
  readText,
  type SocketText,
} from '#web/state/event-socket/follower.ts';
import { countFailures, pauseBeforeSocket } from '#web/state/event-socket/pauses.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { QueueModel } from './queue-model.ts';

const event = (id: number): WireEvent => ({ id, type: 'heartbeat' }) as WireEvent;
const textWith = (op: 'opened' | 'events', position: number, ...ids: number[]): SocketText => ({
  op,
  position,
  events: ids.map(event),
});

/** Processes texts one after the other, and returns the ids that were new. */
function process(start: Follower, ...texts: SocketText[]) {
  const ids: number[] = [];
  let follower = start;
  let acks = 0;
  let ending: Ending | undefined;
  for (const text of texts) {
    const heard = afterText(follower, text);
    follower = heard.follower;
    ids.push(...heard.events.map(({ id }) => id));
    acks += Number(heard.isAckDue);
    ending ??= heard.ending;
  }
  return { follower, ids, acks, ending };
}

describe('A client of an event socket', () => {
  const BUSY = { op: 'closed', code: 'RATE_LIMIT_HIT' } as const;
  const opening = beginSocket(followFrom(10));

  test.each<{ rule: string; texts: SocketText[]; ids: number[]; has: Record<string, number> }>([
    {
      rule: 'Processes missed events, and later ones',
      texts: [textWith('opened', 2, 11, 12), textWith('events', 3, 13)],
      ids: [11, 12, 13],
      has: { last_event_id: 13, position: 3 },
    },
    {
      rule: 'Buffers events pushed before the answer, and processes them after it',
      texts: [textWith('events', 4, 14), textWith('events', 5, 15), textWith('opened', 3, 11, 12)],
      ids: [11, 12, 14, 15],
      has: { last_event_id: 15, position: 5 },
    },
    {
      rule: 'Processes no pushed event before the answer',
      ...{ texts: [textWith('events', 4, 14)], ids: [], has: { last_event_id: 10 } },
    },
    {
      rule: 'Drops known events',
      texts: [textWith('opened', 2, 9, 10, 11), textWith('events', 3, 11, 12), textWith('events', 2, 11)],
      ids: [11, 12],
      has: { last_event_id: 12, position: 3 },
    },
    {
      rule: 'Remembers the position of a text without news for it',
      ...{ texts: [textWith('opened', 7)], ids: [], has: { last_event_id: 10, position: 7 } },
    },
    {
      rule: 'Ignores an unknown text',
      texts: [textWith('opened', 7), { op: 'greeting' } as never, { op: 'pong' }],
      ids: [],
      has: { last_event_id: 10, position: 7 },
    },
  ])('$rule', ({ texts, ids, has }) => {
    const heard = process(opening, ...texts);
    expect(heard).toMatchObject({ ids, ending: undefined });
    expect(progressOf(heard.follower)).toEqual(has);
  });

  test('Drops from a poll the events of a socket, and from a socket the events of a poll', () => {
    const { follower } = process(opening, textWith('opened', 2, 11, 12));
    const polled = afterPoll(follower, [event(12), event(13)]);
    expect(polled.events.map(({ id }) => id)).toEqual([13]);
    expect(progressOf(afterPoll(followFrom(10), [event(11)]).follower)).toEqual({ last_event_id: 11 });
    expect(process(polled.follower, textWith('events', 4, 13, 14)).ids).toEqual([14]);
  });

  test('Requests again the events before a lost answer', () => {
    const { follower } = process(opening, textWith('events', 4, 14));
    const next = beginSocket(endSocket(follower));
    expect(progressOf(next)).toEqual({ last_event_id: 10 });
    expect(process(next, textWith('opened', 4, 11, 14)).ids).toEqual([11, 14]);
  });

  test('Acknowledges after some hundred unacknowledged positions', () => {
    const texts = [1, 150, 201, 350, 401].map((position) => textWith('events', position));
    const { acks, follower } = process(opening, textWith('opened', 0), ...texts);
    expect(acks).toBe(2);
    const again = process(beginSocket(follower), textWith('opened', 402), textWith('events', 500));
    expect(again.acks).toBe(0);
    const unnamed = process(opening, textWith('opened', 0), textWith('events', 199)).follower;
    expect(process(beginSocket(unnamed), textWith('opened', 200)).acks).toBe(0);
    expect(process(unnamed, { op: 'pong' }, { op: 'poll' }).acks).toBe(0);
  });

  test.each<{ text: SocketText; ending: Ending }>([
    { text: { op: 'poll' }, ending: { kind: 'behind' } },
    { text: { ...BUSY, 'retry-after': 60 }, ending: { kind: 'busy', pauseMs: 60_000 } },
    { text: BUSY, ending: { kind: 'busy', pauseMs: 0 } },
    { text: { op: 'closed', code: 'BAD_EVENT_QUEUE_ID' }, ending: { kind: 'cut' } },
    { text: { op: 'closed', code: 'UNAUTHORIZED' }, ending: { kind: 'refused' } },
    { text: { op: 'closed', code: 'INVALID_API_KEY' }, ending: { kind: 'refused' } },
    { text: { op: 'closed', code: 'USER_DEACTIVATED' }, ending: { kind: 'refused' } },
    { text: { op: 'closed', code: 'REALM_DEACTIVATED' }, ending: { kind: 'refused' } },
  ])('Ends after $text as $ending.kind', ({ text, ending }) => {
    expect(process(opening, textWith('opened', 3), text).ending).toEqual(ending);
  });

  test('Stops naming a position that the service does not know', () => {
    const { follower } = process(opening, textWith('opened', 900, 11), { op: 'closed', code: 'BAD_REQUEST' });
    expect(progressOf(follower)).toEqual({ last_event_id: 11 });
  });

  test('Reads the texts of the service', () => {
    const text = textWith('events', 3, 11);
    expect(readText(JSON.stringify(text))).toEqual(text);
  });

  test('Has no socket and no buffered events after one ended, and all received ones', () => {
    const idle = { ...followFrom(10), position: 7, lastEventId: 11 };
    expect(endSocket(process(opening, textWith('opened', 7, 11)).follower)).toEqual(idle);
    const unheard = process(opening, textWith('events', 7, 11)).follower;
    expect(endSocket(unheard)).toEqual(followFrom(10));
    const begun = { lastEventId: 10, position: 0, socket: 'none', namedPosition: 0, kept: [] };
    expect(followFrom(10)).toEqual(begun);
  });

  test('Buffers no event that it has processed', () => {
    const { follower } = process(opening, textWith('events', 4, 14), textWith('opened', 3, 11));
    expect(follower).toMatchObject({ socket: 'open', kept: [] });
  });

  test('Names its position from the first one on', () => {
    const { follower } = process(opening, textWith('opened', 1));
    expect(progressOf(follower)).toEqual({ last_event_id: 10, position: 1 });
  });

  test.each(['', '[', 'null', '7', '"text"', '{}', '{"op":3}', '[1]'])('Reads nothing from %j', (data) => {
    expect(readText(data)).toBeUndefined();
  });

  test('Gets every event once and in order, however sockets and polls alternate', () => {
    const steps = fc.array(fc.tuple(fc.nat(99), fc.nat(3)), { minLength: 20, maxLength: 200 });
    always(
      fc.property(steps, (choices) => {
        const model = new QueueModel();
        for (const [choice, count] of choices) {
          model.step(choice, count);
          expect(model.seen).toEqual(model.ids.slice(0, model.seen.length));
        }
        model.pollAll();
        expect(model.seen).toEqual(model.ids);
      }),
      { numRuns: 500 },
    );
  });
});

describe('The pause before the next socket', () => {
  const cut = (openMs = 0) => ({ ending: { kind: 'cut' } as const, wasOpened: openMs > 0, openMs });

  test('Grows with each useless socket, up to ten minutes', () => {
    const pauses = [0, 1, 2, 3, 20].map((failures) => pauseBeforeSocket(failures, cut(), 1));
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 600_000]);
  });

  test('Differs from client to client', () => {
    expect(pauseBeforeSocket(3, cut(), 0)).toBe(4_000);
  });

  test('Follows the request of the service', () => {
    const busy = { ending: { kind: 'busy', pauseMs: 60_000 } as const, wasOpened: true, openMs: 5 };
    expect(pauseBeforeSocket(1, busy, 1)).toBe(60_000);
    expect(pauseBeforeSocket(20, busy, 1)).toBe(600_000);
  });

  test.each(['behind', 'left'] as const)('Does not exist after a socket that is %s', (kind) => {
    const spell = { ending: { kind }, wasOpened: true, openMs: 5 };
    expect(pauseBeforeSocket(4, spell, 1)).toBe(0);
    expect(countFailures(4, spell)).toBe(0);
    expect(pauseBeforeSocket(0, { ...spell, wasOpened: false }, 1)).toBe(2_000);
  });

  test('Starts over after a long socket, and continues after a short one', () => {
    expect(countFailures(4, cut(60_000))).toBe(0);
    expect(countFailures(4, cut(59_999))).toBe(5);
    expect(countFailures(4, cut(100))).toBe(5);
    expect(countFailures(4, { ending: { kind: 'behind' }, wasOpened: false, openMs: 0 })).toBe(5);
  });
});
