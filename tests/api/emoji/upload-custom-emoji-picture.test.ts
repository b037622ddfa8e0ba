import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findEmoji, freshName, uploadEmoji, uploadEmojiPicture } from '#tests/api/emoji/emoji-calls.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Reply } from '#tests/harness/client.ts';
import { lookAt, makePicture, type PictureOptions, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const member = await service.createUser('Member');

const upload = (name: string, rawBody: FormData): Promise<Reply> => uploadEmoji(member, name, rawBody);
const uploadPicture = (name: string, options: PictureOptions): Promise<Reply> =>
  uploadEmojiPicture(member, name, options);
const recordOf = (name: string) => findEmoji(member, name);
const fetchPicture = async (url: string | null | undefined): Promise<Reply> => sendTo(service.url + url);

describe('The picture of an emoji', () => {
  test.each([['png'], ['jpg'], ['webp'], ['gif']] as const)(
    'May be %s, and becomes a square of 64 pixels that shows all of it',
    async (kind) => {
      const name = freshName();
      expect((await uploadPicture(name, { kind, width: 200, height: 100 })).status).toBe(200);
      const { status, headers, body } = await fetchPicture((await recordOf(name))?.source_url);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
      const seen = await lookAt(body);
      expect(seen).toMatchObject({ kind: 'png', width: 64, height: 64, frames: 1 });
      expect(seen.corner[3]).toBe(0);
      expect(seen.middle[0]).toBeGreaterThan(245);
      expect(seen.middle[3]).toBe(255);
    },
  );

  test.each([['gif'], ['webp']] as const)(
    'Stays animated as %s, with a still picture beside it',
    async (kind) => {
      const name = freshName();
      const colours: [number, number, number][] = [
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
      ];
      expect((await uploadPicture(name, { kind, colours, width: 100, height: 100 })).status).toBe(200);
      const record = await recordOf(name);
      expect(record?.source_url).toMatch(new RegExp(`\\.${kind}$`));
      expect(record?.still_url).toMatch(/-still\.png$/);
      const moving = await fetchPicture(record?.source_url);
      expect(moving.headers.get('content-type')).toBe(`image/${kind}`);
      expect(await lookAt(moving.body)).toMatchObject({ kind, width: 64, height: 64, frames: 3 });
      const still = await lookAt((await fetchPicture(record?.still_url)).body);
      expect(still).toMatchObject({ kind: 'png', width: 64, height: 64, frames: 1 });
      expect(still.middle[0]).toBeGreaterThan(245);
    },
  );

  test.each([
    ['a text', Buffer.from('I am no picture')],
    ['nothing', new Uint8Array()],
    [
      'a vector graphic with script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a page', Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    ['the beginning of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a GIF that ends after its header', Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000')],
  ])('Must not be %s', async (_what, bytes) => {
    const name = freshName();
    expectRefusal(await upload(name, toForm(bytes)), 'Invalid image format', { code: 'BAD_IMAGE' });
    expect(await recordOf(name)).toBeUndefined();
  });

  test('Must have a format that browsers show', async () => {
    const bytes = await makePicture({ kind: 'tif' });
    expectRefusal(await upload(freshName(), toForm(bytes)), 'Invalid image format', {
      code: 'BAD_IMAGE',
    });
  });

  test.each<[string, PictureOptions]>([
    ['of 1 × 100 000 pixels', { width: 1, height: 100_000 }],
    [
      'of 600 frames',
      {
        kind: 'gif',
        width: 2,
        height: 2,
        colours: Array.from({ length: 600 }, (_, n) => [n % 2 === 0 ? 255 : 0, 0, 255]),
      },
    ],
  ])('Fails before it is decoded if it is %s', async (_what, options) => {
    expectRefusal(await uploadPicture(freshName(), options), 'Image size exceeds limit', {
      code: 'BAD_IMAGE',
    });
  });

  test('Fails if a few bytes claim to be a picture of 65 535 × 65 535 pixels in many frames', async () => {
    const head = Buffer.from('474946383961ffffffff800000ff0000000000', 'hex');
    const frame = Buffer.from('2c00000000ffffffff000202440100', 'hex');
    const bomb = Buffer.concat([head, ...Array.from({ length: 1000 }, () => frame), Buffer.from(';')]);
    const { status, body } = await upload(freshName(), toForm(bomb));
    expect([status, body.code]).toEqual([400, 'BAD_IMAGE']);
  });

  test('Has at most 4 MiB as a file', async () => {
    const limit = 4 * 1024 * 1024;
    const refused = await upload(freshName(), toForm(new Uint8Array(limit + 1)));
    expectRefusal(refused, 'Uploaded file is larger than the allowed limit of 4 MiB');
    const looked = await upload(freshName(), toForm(new Uint8Array(limit)));
    expect(looked.body.code).toBe('BAD_IMAGE');
  });

  test.each([
    ['none', toForm([])],
    ['two', toForm([new Uint8Array(1), new Uint8Array(1)])],
  ])('Must be exactly one file, not %s', async (_count, form) => {
    expectRefusal(await upload(freshName(), form), 'You must upload exactly one file.');
  });

  test('Contains no metadata after processing', async () => {
    const name = freshName();
    const plain = Buffer.from(await makePicture());
    // Behind the header, which takes 33 bytes.
    const withText = Buffer.concat([plain.subarray(0, 33), textChunk('Author\0Myself'), plain.subarray(33)]);
    await upload(name, toForm(withText));
    const { body } = await fetchPicture((await recordOf(name))?.source_url);
    expect(Buffer.from(body).toString('latin1')).not.toMatch(/Myself|tEXt|iTXt|eXIf|iCCP/);
  });
});

/** A part of a PNG file that holds a text. */
function textChunk(text: string): Buffer {
  const content = Buffer.from(`tEXt${text}`, 'latin1');
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
