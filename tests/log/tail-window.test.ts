import { describe, expect, test } from 'vitest';
import { asRead, TailWindow } from '#shared/log/tail-window.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { logEvent } from '#tests/harness/any-event.ts';

const NOW_MS = 1_000_000;

const entryAt = (position: number, atMs = NOW_MS, payload: Record<string, unknown> = {}): LogEntry => ({
  position,
  atMs,
  writeId: '',
  events: [logEvent({ type: 'realm', ...payload })],
});

/** An entry that has so many characters as JSON. */
function entryOf(position: number, characters: number): LogEntry {
  const room = characters - JSON.stringify(entryAt(position, NOW_MS, { value: '' })).length;
  return entryAt(position, NOW_MS, { value: 'x'.repeat(room) });
}

function windowAfter(start: number, ...entries: LogEntry[]): TailWindow {
  const window = new TailWindow(start);
  window.add(entries, NOW_MS);
  return window;
}

const positionsAfter = (window: TailWindow, position: number): number[] =>
  window.after(position).map((entry) => entry.position);

describe('The cached end of the log', () => {
  test('Serves readers that have read up to its beginning, within it, or up to its end, and no others', () => {
    const window = windowAfter(10, entryAt(11), entryAt(12), entryAt(13));
    expect([9, 10, 11, 13, 14].map((position) => window.covers(position))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(window.end).toBe(13);
    expect(positionsAfter(window, 10)).toEqual([11, 12, 13]);
    expect(positionsAfter(window, 12)).toEqual([13]);
    expect(positionsAfter(window, 13)).toEqual([]);
  });

  test('Goes back ten seconds', () => {
    const window = windowAfter(10, entryAt(11, NOW_MS - 10_001), entryAt(12, NOW_MS - 10_000), entryAt(13));
    expect(window.covers(10)).toBe(false);
    expect(positionsAfter(window, 11)).toEqual([12, 13]);
    window.add([entryAt(14, NOW_MS + 10_001)], NOW_MS + 10_001);
    expect(window.covers(12)).toBe(false);
    expect(positionsAfter(window, 13)).toEqual([14]);
  });

  test('Has at most four million characters, the newest', () => {
    const large = [1, 2, 3, 4].map((position) => entryOf(position, 1_000_000));
    const full = windowAfter(0, ...large);
    expect(full.covers(0)).toBe(true);
    full.add([entryOf(5, 1_000_000)], NOW_MS);
    expect(full.covers(0)).toBe(false);
    expect(positionsAfter(full, 1)).toEqual([2, 3, 4, 5]);
    const [first, ...others] = large;
    const larger = windowAfter(0, { ...first!, writeId: 'x' }, ...others);
    expect(larger.covers(0)).toBe(false);
    expect(larger.covers(1)).toBe(true);
  });

  test.each([
    ['an edit', { type: 'update_message', message_id: 12, message_ids: [12] }],
    ['a move of several', { type: 'update_message', message_id: 11, message_ids: [11, 12] }],
    ['a deletion', { type: 'delete_message', message_ids: [12] }],
  ])('Drops messages that %s changes, and everything before them', (_what, payload) => {
    const window = windowAfter(10, entryAt(11), entryAt(12), entryAt(13));
    window.add([entryAt(14, NOW_MS, payload)], NOW_MS);
    expect(window.covers(11)).toBe(false);
    expect(positionsAfter(window, 12)).toEqual([13, 14]);
  });

  test('Keeps everything if an entry changes only earlier messages', () => {
    const window = windowAfter(10, entryAt(11));
    window.add([entryAt(12, NOW_MS, { type: 'delete_message', message_ids: [10] })], NOW_MS);
    expect(positionsAfter(window, 10)).toEqual([11, 12]);
  });
});

test('A written entry equals a read one: without undefined values, however deep', () => {
  const item = {
    ...logKeys.entry(7),
    atMs: 5,
    writeId: 'w',
    events: [
      { audience: { kind: 'everyone', more: undefined }, payload: { ids: new Set([1]), one: undefined } },
    ],
    message: undefined,
  };
  const read = asRead(item);
  expect(read).toStrictEqual({
    position: 7,
    atMs: 5,
    writeId: 'w',
    events: [{ audience: { kind: 'everyone' }, payload: { ids: new Set([1]) } }],
  });
  expect(read.events).not.toBe(item.events);
});
