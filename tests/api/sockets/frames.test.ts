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

const bytesOf = (texts: string[] | undefined): number[] =>
  (texts ?? []).map((text) => Buffer.byteLength(text));

describe('the texts of a socket', () => {
  test('have no more bytes than API Gateway takes, whatever the characters are', () => {
    for (const characters of [10, 997, 7_000, 14_000, 28_000, 29_900]) {
      const few = Array.from({ length: Math.min(100, Math.floor(100_000 / characters)) }, (_, n) =>
        entry(n + 1, characters),
      );
      const texts = eventTexts(few);
      expect(texts?.length).toBeGreaterThan(0);
      for (const bytes of bytesOf(texts)) expect(bytes).toBeLessThan(GATEWAY_BYTES);
    }
  });

  test('are none where an event, or what a client lacks, is larger: it polls', () => {
    expect(eventTexts([entry(1, 30_100)])).toBeUndefined();
    const events = [entry(1, 15_000), entry(2, 15_100)].flatMap((one) => one.events);
    expect(openedText(2, events)).toBeUndefined();
    expect(bytesOf([openedText(1, events.slice(0, 1)) ?? ''])[0]).toBeLessThan(GATEWAY_BYTES);
  });
});
