import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadImage } from '#shared/domain/errors.ts';
import { cleanGif } from '#shared/domain/pictures/clean-gif.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';

const COMMENT = Uint8Array.of(0x21, 0xfe, 6, ...Buffer.from('secret'), 0);
const SCREEN_BYTES = 13;

const moving = await makePicture({
  width: 40,
  height: 30,
  kind: 'gif',
  colours: [
    [255, 0, 0],
    [0, 0, 255],
  ],
});

describe('cleanGif', () => {
  test('Keeps size, frames and pixels', async () => {
    const { bytes, ...head } = cleanGif(moving);
    expect(head).toEqual({ width: 40, height: 30, frames: 2 });
    expect(await lookAt(bytes)).toEqual(await lookAt(moving));
  });

  test('Leaves out comments and bytes after the end', () => {
    const [, colours = 0] = [
      0,
      ((moving[10] ?? 0) & 0x80) === 0 ? 0 : 3 * 2 ** (((moving[10] ?? 0) & 7) + 1),
    ];
    const at = SCREEN_BYTES + colours;
    const dirty = Buffer.concat([
      moving.subarray(0, at),
      COMMENT,
      moving.subarray(at),
      Buffer.from('<script>'),
    ]);
    const { bytes } = cleanGif(dirty);
    expect(Buffer.from(bytes).includes('secret')).toBe(false);
    expect(bytes).toEqual(cleanGif(moving).bytes);
    expect(bytes.at(-1)).toBe(0x3b);
  });

  test('Refuses a file without its end, at every length', () => {
    for (let length = 0; length < moving.length; length++)
      expect(() => cleanGif(moving.subarray(0, length)), String(length)).toThrow(BadImage);
  });

  test('Refuses other formats', async () => {
    expect(() => cleanGif(Buffer.from('GIF89a'))).toThrow(BadImage);
    const png = await makePicture();
    expect(() => cleanGif(png)).toThrow(BadImage);
  });

  test('Refuses screens that are too large to decode', () => {
    const large = Uint8Array.from(moving);
    large.set([0xff, 0x7f, 0xff, 0x7f], 6);
    expect(() => cleanGif(large)).toThrow(BadImage);
  });

  test('Refuses a frame that is not on the screen', () => {
    const small = Uint8Array.from(moving);
    small.set([10, 0, 10, 0], 6);
    expect(() => cleanGif(small)).toThrow(BadImage);
  });

  test('Returns a GIF that it returns again, or refuses, for any changed bytes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 255 }), (place, value) => {
        const changed = Uint8Array.from(moving);
        changed[place % changed.length] = value;
        try {
          const { bytes } = cleanGif(changed);
          expect(cleanGif(bytes).bytes).toEqual(bytes);
        } catch (failure) {
          expect(failure).toBeInstanceOf(BadImage);
        }
      }),
    );
  });
});
