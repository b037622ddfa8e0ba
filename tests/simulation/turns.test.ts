import { expect, test } from 'vitest';
import { Random } from './random.ts';
import { Turns } from './turns.ts';

const LATEST_MS = 500;

test('Everyone gets a turn, once, and never before their time', () => {
  const random = new Random(1);
  const turns = new Turns<{ fromMs: number; id: number }>();
  const waiting = Array.from({ length: 300 }, (_, id) => ({ id, fromMs: random.between(0, LATEST_MS) }));
  for (const one of waiting) turns.add(one);
  const gone = turns.takeAll(({ id }) => id % 10 === 0);
  const taken: number[] = [];
  for (let nowMs = 0; nowMs <= LATEST_MS; nowMs++) {
    expect(turns.nextMs() ?? Infinity).toBeGreaterThanOrEqual(nowMs);
    for (let one = turns.take(nowMs, random); one; one = turns.take(nowMs, random)) {
      expect(one.fromMs).toBeLessThanOrEqual(nowMs);
      taken.push(one.id);
    }
  }
  expect(gone.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id).filter((id) => id % 10 === 0));
  expect([...taken, ...gone.map(({ id }) => id)].sort((a, b) => a - b)).toEqual(waiting.map(({ id }) => id));
});

test('Each due participant may be next', () => {
  const firsts = new Set<number>();
  for (let seed = 0; seed < 50; seed++) {
    const turns = new Turns<{ fromMs: number; id: number }>();
    for (const id of [1, 2, 3]) turns.add({ fromMs: id, id });
    firsts.add(turns.take(3, new Random(seed))?.id ?? 0);
  }
  expect([...firsts].sort()).toEqual([1, 2, 3]);
});
