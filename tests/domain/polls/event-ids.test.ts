import { describe, expect, test } from 'vitest';
import {
  deferredEventId,
  endOfPosition,
  eventId,
  heartbeatId,
  isEndOfPosition,
  MAX_DEFERRED_EVENTS,
  positionOfEventId,
} from '#shared/events/event-id.ts';
import { type ShapedEvent, shapeEntry } from '#shared/events/shape.ts';
import type { Shaping } from '#shared/events/shaping.ts';
import { logEvent } from '#tests/harness/any-event.ts';

/** Ids of clients that poll across an update of the service were given by the version before. */
const POSITION = 1_048_576;

describe('The ids of one position', () => {
  test('Start with 4 095 for events, then one for its end, then ids of heartbeats or deferred events', () => {
    expect(eventId(3, 7)).toBe(3 * POSITION + 7);
    expect(endOfPosition(3)).toBe(3 * POSITION + 4_095);
    expect(heartbeatId(3, 0)).toBe(3 * POSITION + 4_096);
    expect(deferredEventId(3, 2)).toBe(3 * POSITION + 4_098);
  });

  test('Leave each heartbeat an id above the last one', () => {
    expect(heartbeatId(3, 3 * POSITION + 5_000)).toBe(3 * POSITION + 5_001);
  });

  test('End before the ids of the next position', () => {
    expect(positionOfEventId(deferredEventId(3, MAX_DEFERRED_EVENTS - 1))).toBe(3);
    expect(deferredEventId(3, MAX_DEFERRED_EVENTS)).toBe(eventId(4, 0));
  });

  test('Distinguish an event from the end of its position', () => {
    expect([4_094, 4_095, 4_096].map((index) => isEndOfPosition(eventId(3, index)))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('An entry', () => {
  const shaped = (count: number): ShapedEvent[] => {
    const event = logEvent({ type: 'custom' });
    const filter = { eventTypes: null, capabilities: [], narrow: [] };
    return shapeEntry({ position: 3, events: Array.from({ length: count }, () => event) }, {
      filter,
      viewer: { user: {} },
    } as unknown as Shaping);
  };

  test('Gives a queue as many events as there are ids', () => {
    const events = shaped(4_095);
    expect(events).toHaveLength(4_095);
    expect(events.at(-1)).toEqual({ type: 'custom', id: endOfPosition(3) - 1 });
  });

  test('With more events than ids ends the queue', () => {
    expect(shaped(4_096)).toEqual([{ type: 'queue_removed', id: eventId(3, 0) }]);
  });
});
