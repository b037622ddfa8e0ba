import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseSlot, type PollSlot } from '#shared/domain/polls/slots.ts';

const RULES = { limit: 3, spread: 0, nowMs: 1_000, lingerMs: 100, endMs: 3_000, keptMs: 500 };

const slotOf = (queueId: string, rest: Partial<PollSlot> = {}): PollSlot => ({
  queueId,
  pollId: `poll of ${queueId}`,
  lastEventId: 5,
  untilMs: 2_000,
  ...rest,
});

const choose = (slots: [number, PollSlot][], lastEventId = 5, rules = RULES) =>
  chooseSlot(new Map(slots), { queueId: 'own', lastEventId }, rules);

describe('A poll that starts to wait', () => {
  test('Occupies a free slot, or that of a poll that has ended', () => {
    expect(choose([])).toEqual({ slot: 0, untilMs: 3_000, superseded: new Map() });
    expect(choose([[0, slotOf('a')]])).toMatchObject({ slot: 1 });
    const ended = slotOf('a', { untilMs: 1_000 });
    expect(choose([[0, ended]])).toMatchObject({ slot: 0 });
  });

  test('Starts its search at the given slot, and wraps around', () => {
    const rules = { ...RULES, spread: 0.99 };
    expect(choose([], 5, rules)).toMatchObject({ slot: 2 });
    const ended = slotOf('a', { untilMs: 1_000 });
    expect(choose([[1, ended]], 5, rules), 'a listed slot first').toMatchObject({ slot: 1 });
    expect(choose([[2, slotOf('a')]], 5, rules)).toMatchObject({ slot: 0 });
  });

  test('Gets the earliest end of the others if all slots are occupied', () => {
    const taken: [number, PollSlot][] = [1_700, 1_500, 1_900].map((untilMs, slot) => [
      slot,
      slotOf(`queue ${slot}`, { untilMs }),
    ]);
    expect(choose(taken)).toEqual({ freeAtMs: 1_500 });
  });

  test('Replaces an earlier poll of its queue whose reply the client has', () => {
    const others: [number, PollSlot][] = [
      [0, slotOf('a')],
      [1, slotOf('own', { lastEventId: 4 })],
      [2, slotOf('b')],
    ];
    expect(choose(others)).toEqual({ slot: 1, untilMs: 3_500, superseded: new Map() });
  });

  test('Shares the slot that an earlier poll of its queue took for long enough', () => {
    const earlier = slotOf('own', { lastEventId: 4, untilMs: 3_000 });
    const kept = { slot: 1, kept: earlier, untilMs: 3_000, superseded: new Map() };
    expect(choose([[1, earlier]])).toEqual(kept);
    expect(choose([[1, { ...earlier, untilMs: 2_999 }]])).not.toHaveProperty('kept');
    expect(choose([[1, { ...earlier, isSuperseded: true }]])).not.toHaveProperty('kept');
    expect(choose([[1, earlier]], 4)).not.toHaveProperty('kept');
    const another = slotOf('own', { lastEventId: 5 });
    expect(
      choose([
        [1, earlier],
        [2, another],
      ]),
    ).not.toHaveProperty('kept');
  });

  test('Counts an earlier poll of its queue as ended at the end of its time, also with the same last event', () => {
    const earlier = slotOf('own', { untilMs: 3_000, heldUntilMs: 1_000 });
    expect(choose([[1, earlier]])).toEqual({
      slot: 1,
      kept: earlier,
      untilMs: 3_000,
      superseded: new Map(),
    });
    expect(choose([[1, { ...earlier, untilMs: 2_999 }]])).toEqual({
      slot: 1,
      untilMs: 3_500,
      superseded: new Map(),
    });
    expect(choose([[1, { ...earlier, heldUntilMs: 1_001 }]])).toMatchObject({ slot: 0 });
  });

  test('Ends an earlier one that may still wait, which counts until it has noticed', () => {
    const earlier = slotOf('own');
    const ended = { ...earlier, untilMs: 1_100, isSuperseded: true };
    expect(choose([[0, earlier]])).toEqual({ slot: 1, untilMs: 3_000, superseded: new Map([[0, ended]]) });
    expect(choose([[0, slotOf('own', { isSuperseded: true, untilMs: 1_050 })]])).toEqual({
      slot: 1,
      untilMs: 3_000,
      superseded: new Map(),
    });
  });
});

test('No more slots are taken at once than allowed, whatever their queues have, and each can wait again later', () => {
  const starts = fc.array(
    fc.record({
      queueId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      lastEventId: fc.nat(3),
      spread: fc.double({ min: 0, max: 0.999, noNaN: true }),
      afterMs: fc.nat(300),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(starts, (polls) => {
      const slots = new Map<number, PollSlot>();
      let nowMs = 0;
      for (const [index, { queueId, lastEventId, spread, afterMs }] of polls.entries()) {
        nowMs += afterMs;
        const rules = { limit: 3, spread, nowMs, lingerMs: 100, endMs: nowMs + 1_000, keptMs: 500 };
        const choice = chooseSlot(slots, { queueId, lastEventId }, rules);
        if ('freeAtMs' in choice) {
          expect(choice.freeAtMs).toBeGreaterThan(nowMs);
          const later = chooseSlot(slots, { queueId, lastEventId }, { ...rules, nowMs: choice.freeAtMs });
          expect(later).toHaveProperty('slot');
          continue;
        }
        for (const [slot, poll] of choice.superseded) slots.set(slot, poll);
        const { slot, kept, untilMs } = choice;
        expect(untilMs).toBeGreaterThanOrEqual(nowMs + 1_000);
        const heldUntilMs = nowMs + 900;
        slots.set(slot, kept ?? { queueId, pollId: String(index), lastEventId, untilMs, heldUntilMs });
        const waiting = [...slots.values()].filter(({ untilMs }) => untilMs > nowMs);
        expect(waiting.length).toBeLessThanOrEqual(3);
        expect(choice.slot).toBeLessThan(3);
        const ofQueue = waiting.filter((poll) => poll.queueId === queueId && !poll.isSuperseded);
        expect(ofQueue).toHaveLength(1);
      }
    }),
  );
});
