import { describe, expect, test } from 'vitest';
import { commit } from '#shared/log/commit.ts';
import { advancePlace, claimPlace, followLog, type Place, toPlaceState } from '#shared/log/follow.ts';
import type { Services } from '#shared/runtime/services.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { eventFor } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';

/** A worker's services, whose clock records the requested sleeps. */
let nowMs: number;
let pauses: number[];

const service = await startTestService();
nowMs = service.services.clock.nowMs();
const services: Services = {
  ...service.services,
  clock: {
    nowMs: () => nowMs,
    sleep: async (delayMs, signal) => {
      if (signal) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      else pauses.push(delayMs);
    },
  },
};

const end = (): Promise<number> => readCounter(service.services.table);

/** A place after a position that records its requests. */
function placeAfter(position: number): Place & { steps: string[] } {
  const steps: string[] = [];
  return {
    steps,
    claim: async () => ({ claimId: 'own', position }),
    advance: async (_claim, to, isLast) => {
      steps.push(`${isLast ? 'end' : 'advance'} ${to - position}`);
      return true;
    },
    renew: async () => true,
    release: async () => void steps.push('release'),
  };
}

async function follow(place: Place, upTo: number, entriesAtOnce = 100) {
  pauses = [];
  const taken: number[][] = [];
  const take = async (entries: LogEntry[]) => void taken.push(entries.map(({ position }) => position));
  const isDone = await followLog(services, place, { upTo, entriesAtOnce, take });
  return { isDone, taken };
}

async function commitEvents(count: number): Promise<number> {
  const after = await end();
  for (let n = 0; n < count; n++) await commit(service.services, eventFor(service.owner.userId, n));
  return after;
}

describe('A worker that follows the log', () => {
  test('Reads all entries up to the announced one and ends', async () => {
    const after = await commitEvents(3);
    const place = placeAfter(after);
    expect(await follow(place, after + 3)).toEqual({
      isDone: true,
      taken: [[after + 1, after + 2, after + 3]],
    });
    expect(place.steps).toEqual(['end 3']);
    expect(pauses).toEqual([]);
  });

  test('Reads as many at once as allowed, and continues after those', async () => {
    const after = await commitEvents(4);
    const place = placeAfter(after);
    const { taken } = await follow(place, after + 4, 2);
    expect(taken).toEqual([
      [after + 1, after + 2],
      [after + 3, after + 4],
    ]);
    expect(place.steps).toEqual(['advance 2', 'advance 4', 'release']);
  });

  test('Waits for an announced entry eight times 200 ms, and then reports that it is missing', async () => {
    const after = await end();
    const place = placeAfter(after);
    expect(await follow(place, after + 1)).toEqual({ isDone: false, taken: [] });
    expect(pauses).toEqual(Array.from({ length: 8 }, () => 200));
    expect(place.steps).toEqual(['release']);
  });

  test('Waits for the rest if more was announced than exists', async () => {
    const after = await commitEvents(1);
    const place = placeAfter(after);
    expect(await follow(place, after + 2)).toEqual({ isDone: false, taken: [[after + 1]] });
    expect(pauses).toHaveLength(8);
    expect(place.steps).toEqual(['advance 1', 'release']);
  });

  test('Does not wait if it has reached the announced entry', async () => {
    const after = await end();
    expect(await follow(placeAfter(after), after)).toEqual({ isDone: true, taken: [] });
    expect(pauses).toEqual([]);
  });
});

test('A lease lasts for ten seconds at a time, and is free exactly from its end on', async () => {
  const key = { pk: 'PLACE', sk: 'PLACE' };
  const stateOf = async () => toPlaceState(await services.table.find(key));
  const claim = async () => claimPlace(services, key, await stateOf());
  const first = await claim();
  expect(first).toMatchObject({ position: 0 });
  if (first === 'taken') return;
  nowMs += 9_999;
  expect(await claim()).toBe('taken');
  expect(await advancePlace(services, key, first, 5, false)).toBe(true);
  nowMs += 9_999;
  expect(await claim()).toBe('taken');
  nowMs += 1;
  const second = await claim();
  expect(second).toMatchObject({ position: 5 });
  expect(await advancePlace(services, key, first, 6, false)).toBe(false);
  if (second === 'taken') return;
  expect(await advancePlace(services, key, second, 7, true)).toBe(true);
  expect(await claim()).toMatchObject({ position: 7 });
});

test('A lease goes to one of the workers that find it in the same state', async () => {
  const key = { pk: 'PLACE', sk: 'SHARED' };
  const stateOf = async () => toPlaceState(await services.table.find(key));
  const claimTwice = async () => {
    const state = await stateOf();
    return [await claimPlace(services, key, state), await claimPlace(services, key, state)];
  };
  expect(await claimTwice()).toEqual([{ claimId: expect.any(String), position: 0 }, 'taken']);
  nowMs += 10_000;
  const [second, other] = await claimTwice();
  expect(other).toBe('taken');
  const state = await stateOf();
  if (second === 'taken' || !second) return;
  await advancePlace(services, key, second, 5, true);
  expect(await claimTwice()).toEqual([{ claimId: expect.any(String), position: 5 }, 'taken']);
  nowMs += 10_000;
  expect(await claimPlace(services, key, { ...state, claimedUntilMs: 0 })).toBe('taken');
});
