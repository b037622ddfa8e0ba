import { describe, expect, test } from 'vitest';
import { directionOf, pathOf } from '#web/state/direction.ts';

describe('A place in words', () => {
  test('Isolates a name that runs from right to left, so that the signs beside it keep their place', () => {
    expect(pathOf('design', 'logo')).toBe('design › logo');
    expect(pathOf('design', 'שלום!')).toBe('design › \u2068שלום!\u2069');
    expect(pathOf('عام', 'logo')).toBe('\u2068عام\u2069 › logo');
  });
});

describe('The direction of a text', () => {
  test.each([
    ['1) שלום world', 'rtl'],
    ['“Hello” שלום', 'ltr'],
    ['12:30 ✔', undefined],
  ])('Of %j comes from its first letter: %s', (text, direction) => {
    expect(directionOf(text)).toBe(direction);
  });
});
