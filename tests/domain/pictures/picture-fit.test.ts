import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadImage } from '#shared/domain/errors.ts';
import { decodedSize, fitInto, type PictureShape, requireLookable } from '#shared/domain/pictures/fit.ts';
import { always } from '#tests/harness/property.ts';

const side = fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1, 2, 9_999, 10_000));
const size = fc.record({ width: side, height: side });
const shapeSide = fc.integer({ min: 1, max: 1_000 });
const shape = fc.record({
  width: shapeSide,
  height: shapeSide,
  fit: fc.constantFrom('cover', 'pad', 'inside'),
}) as fc.Arbitrary<PictureShape>;
const shapes = fc.array(shape, { minLength: 1, maxLength: 3 });

describe('A picture of any size, for any shapes,', () => {
  test('Decodes no larger than it is', () => {
    always(
      fc.property(size, shapes, (picture, wanted) => {
        const decoded = decodedSize(picture, wanted);
        expect(decoded.width).toBeGreaterThanOrEqual(1);
        expect(decoded.height).toBeGreaterThanOrEqual(1);
        expect(decoded.width).toBeLessThanOrEqual(picture.width);
        expect(decoded.height).toBeLessThanOrEqual(picture.height);
      }),
    );
  });

  test('Never scales to more pixels than a shape has, and nothing beside it is used', () => {
    always(
      fc.property(size, shapes, (picture, wanted) => {
        const decoded = decodedSize(picture, wanted);
        for (const one of wanted) {
          const { window, scaled } = fitInto(decoded, one);
          expect(window.left).toBeGreaterThanOrEqual(0);
          expect(window.top).toBeGreaterThanOrEqual(0);
          expect(Math.min(window.width, window.height)).toBeGreaterThanOrEqual(1);
          expect(window.left + window.width).toBeLessThanOrEqual(decoded.width);
          expect(window.top + window.height).toBeLessThanOrEqual(decoded.height);
          expect(Math.min(scaled.width, scaled.height)).toBeGreaterThanOrEqual(1);
          expect(scaled.width).toBeLessThanOrEqual(one.width);
          expect(scaled.height).toBeLessThanOrEqual(one.height);
        }
      }),
    );
  });

  test('Fills the shapes that it must fill', () => {
    always(
      fc.property(size, shape, (picture, one) => {
        fc.pre(one.fit === 'cover');
        const { scaled } = fitInto(decodedSize(picture, [one]), one);
        expect(scaled).toEqual({ width: one.width, height: one.height });
      }),
    );
  });
});

test('A square is cut from the middle of the decoded picture', () => {
  const shapeOf = { width: 100, height: 100, fit: 'cover' } as const;
  const decoded = decodedSize({ width: 3_000, height: 2_000 }, [shapeOf]);
  expect(decoded).toEqual({ width: 150, height: 100 });
  expect(fitInto(decoded, shapeOf).window).toEqual({ left: 25, top: 0, width: 100, height: 100 });
});

describe('A picture is decoded only', () => {
  test.each([
    { title: '10 000 pixels wide', most: { width: 10_000, height: 1, frames: 1 }, more: { width: 10_001 } },
    { title: '10 000 pixels high', most: { width: 1, height: 10_000, frames: 1 }, more: { height: 10_001 } },
    { title: '500 frames long', most: { width: 1, height: 1, frames: 500 }, more: { frames: 501 } },
    {
      title: '40 million pixels large',
      most: { width: 8_000, height: 5_000, frames: 1 },
      more: { height: 5_001 },
    },
    {
      title: '40 million pixels of all frames large',
      most: { width: 400, height: 200, frames: 500 },
      more: { width: 401 },
    },
  ])('Up to $title', ({ most, more }) => {
    expect(() => requireLookable(most)).not.toThrow();
    expect(() => requireLookable({ ...most, ...more })).toThrow(new BadImage('Image size exceeds limit'));
  });
});
