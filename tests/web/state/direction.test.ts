import { expect, test } from 'vitest';
import { directionOf, pathOf } from '#web/state/direction.ts';

test('A place isolates a name that runs from right to left, so that the signs beside it keep their place', () => {
  expect(pathOf('design', 'logo')).toBe('design › logo');
  expect(pathOf('design', 'שלום!')).toBe('design › \u2068שלום!\u2069');
  expect(pathOf('عام', 'logo')).toBe('\u2068عام\u2069 › logo');
});

test.each([
  ['1) שלום world', 'rtl'],
  ['“Hello” שלום', 'ltr'],
  ['12:30 ✔', undefined],
])('The text %j has the direction of its first letter: %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});
