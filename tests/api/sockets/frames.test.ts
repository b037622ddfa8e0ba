import { describe, expect, test } from 'vitest';
import { eventTexts, openedText } from '#shared/queues/socket/frames.ts';

/** API Gateway refuses larger texts, as bytes of UTF-8. */
const GATEWAY_BYTES = 128 * 1024;

type Observed = Parameters<typeof eventTexts>[0][number];

/** An entry whose event has so many characters, each of four bytes. */
const entry = (position: number, characters: number): Observed =>
  ({
    entry: { position },
    events: [{ id: position, type: 'message', content: '\u{1F600}'.repeat(characters) }],
    isWhole: true,
    isTalk: true,
  }) as unknown as Observed;

/** An entry whose events have so many bytes together. */
function entryOf(position: number, bytes: number): Observed {
  const empty = { ...entry(position, 0) };
  const room = bytes - Buffer.byteLength(JSON.stringify(empty.events));
  return { ...empty, events: empty.events.map((event) => ({ ...event, content: 'x'.repeat(room) })) };
}

const bytesOf = (texts: string[] | undefined): number[] =>
  (texts ?? []).map((text) => Buffer.byteLength(text));

describe('The texts of a socket', () => {
  test('Have no more bytes than API Gateway accepts, whatever the characters are', () => {
    for (const characters of [10, 997, 7_000, 14_000, 28_000, 29_900]) {
      const few = Array.from({ length: Math.min(100, Math.floor(100_000 / characters)) }, (_, n) =>
        entry(n + 1, characters),
      );
      const texts = eventTexts(few);
      expect(texts?.length).toBeGreaterThan(0);
      for (const bytes of bytesOf(texts)) expect(bytes).toBeLessThan(GATEWAY_BYTES);
    }
  });

  test('Contain no larger event or snapshot part: the client polls instead', () => {
    expect(eventTexts([entry(1, 30_100)])).toBeUndefined();
    const events = [entry(1, 15_000), entry(2, 15_100)].flatMap(({ events }) => events);
    expect(openedText(2, events)).toBeUndefined();
    expect(bytesOf([openedText(1, events.slice(0, 1)) ?? ''])[0]).toBeLessThan(GATEWAY_BYTES);
  });

  test('Contain events of 120 000 bytes, and a client polls for a byte more', () => {
    expect(eventTexts([entryOf(1, 120_000)])).toHaveLength(1);
    expect(eventTexts([entryOf(1, 120_001)])).toBeUndefined();
    const envelope = Buffer.byteLength(JSON.stringify({ op: 'opened', position: 1, events: [] })) - 2;
    expect(openedText(1, entryOf(1, 120_000 - envelope).events)).toHaveLength(120_000);
    expect(openedText(1, entryOf(1, 120_001 - envelope).events)).toBeUndefined();
  });

  test('Number at most four at once: a client that misses more polls faster', () => {
    const large = (count: number) => Array.from({ length: count }, (_, n) => entryOf(n + 1, 100_000));
    expect(eventTexts(large(4))).toHaveLength(4);
    expect(eventTexts(large(5))).toBeUndefined();
  });

  test('Leave out entries without events, except for the position that they reach', () => {
    const nothing = (position: number): Observed => ({ ...entry(position, 1), events: [] });
    expect(eventTexts([nothing(1), nothing(2)])).toEqual([]);
    const [text = '', ...others] = eventTexts([nothing(1), entry(2, 1), nothing(3)]) ?? [];
    expect(others).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ position: 3, events: [{ id: 2 }] });
  });
});
