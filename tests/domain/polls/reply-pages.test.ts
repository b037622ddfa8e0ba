import { expect, test } from 'vitest';
import type { ShapedEvent } from '#shared/events/shape.ts';
import { ReplyPage } from '#shared/queues/reply-page.ts';

/** An event that has so many characters as JSON. */
function eventOf(id: number, characters: number): ShapedEvent {
  const empty = { id, type: 'realm_domains' as const, op: 'remove' as const, domain: '' };
  return { ...empty, domain: 'x'.repeat(characters - JSON.stringify(empty).length) };
}

test('A reply contains events until it has a million characters, and one more of any size before that', () => {
  const small = eventOf(1, 999_999);
  const page = new ReplyPage();
  expect(page.add([small])).toBe(true);
  expect(page.isFull).toBe(false);
  expect(page.add([eventOf(2, 500_000), eventOf(3, 100)])).toBe(false);
  expect(page.events.map(({ id }) => id)).toEqual([1, 2]);
  const full = new ReplyPage();
  expect(full.add([eventOf(1, 1_000_000)])).toBe(true);
  expect(full.isFull).toBe(true);
  expect(full.add([eventOf(2, 100)])).toBe(false);
});
