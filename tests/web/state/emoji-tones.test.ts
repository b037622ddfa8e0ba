import { describe, expect, test } from 'vitest';
import { readTone, withTone } from '#web/state/emoji-tones.ts';

describe('The skin tone of an emoji', () => {
  test.each([
    ['1f44d', 0, '1f44d'],
    ['1f44d', 1, '1f44d-1f3fb'],
    ['1f44d', 5, '1f44d-1f3ff'],
    ['1f9d1-200d-1f4bb', 3, '1f9d1-1f3fd-200d-1f4bb'],
    ['270c-fe0f', 2, '270c-1f3fc'],
  ] as const)('Code %s in tone %i is %s', (code, tone, toned) => {
    expect(withTone(code, tone)).toBe(toned);
  });

  test.each([
    [null, 0],
    ['4', 4],
    ['9', 0],
    ['no tone', 0],
  ])('A device that keeps %j has tone %i', (kept, tone) => {
    expect(readTone(kept)).toBe(tone);
  });
});
