import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fitsCompressed, packReply } from '#shared/api/envelope.ts';
import type { HttpReply } from '#shared/api/http.ts';

const MAX_BYTES = 6_000_000;
/** JSON would escape it. */
const BACKSLASH = 92;

const replyOf = (body: string): HttpReply => ({ statusCode: 200, headers: {}, body });
/** A reply that takes so many bytes on its way to the gateway. */
const replyOfBytes = (bytes: number): HttpReply =>
  replyOf('x'.repeat(bytes - JSON.stringify(replyOf('')).length));
/** Repetitions after so many characters are too far away for gzip. */
const REPEATED = 100_000;
/** Text of 64 characters at random, of which every four hold three bytes. */
const noise = (characters: number): string =>
  randomBytes((REPEATED / 4) * 3)
    .toString('base64')
    .repeat(characters / REPEATED);
/** Text that gzip makes smaller by less than base64 makes the result larger. */
const denseNoise = (characters: number): string => {
  const codes = randomBytes(REPEATED).map((byte) => 35 + (byte % 91));
  const block = Buffer.from(codes.map((code) => (code < BACKSLASH ? code : code + 1)));
  return block.toString('latin1').repeat(characters / REPEATED);
};

describe('A reply', () => {
  test('Gets compressed from 4096 characters on', async () => {
    const [less, more] = ['x'.repeat(4095), 'x'.repeat(4096)].map(replyOf) as [HttpReply, HttpReply];
    expect(await packReply(less, 'gzip')).toBe(less);
    expect(await packReply(more, 'gzip')).toMatchObject({ isBase64Encoded: true });
  });

  test('May have six million bytes uncompressed, and not one more', async () => {
    const most = replyOfBytes(MAX_BYTES);
    expect(await packReply(most, undefined)).toBe(most);
    expect(await packReply(replyOfBytes(MAX_BYTES + 1), undefined)).toMatchObject({ statusCode: 400 });
  });

  test('Gets compressed for a client that prefers neither form', async () => {
    for (const accepted of ['gzip, identity', 'gzip;q=0.5, identity;q=0.5', 'gzip;q=0.5'])
      expect(await packReply(replyOf('x'.repeat(5_000)), accepted)).toMatchObject({ isBase64Encoded: true });
  });

  test('Stays uncompressed if compression makes it too large, unless the client refuses that', async () => {
    const reply = replyOf(denseNoise(5_900_000));
    expect(await packReply(reply, 'gzip, identity')).toBe(reply);
    const refused = await packReply(reply, 'gzip, identity;q=0');
    expect([refused.statusCode, JSON.parse(refused.body).msg]).toEqual([
      400,
      'The reply is too large; ask for less',
    ]);
  });
});

test('The fields of a snapshot fit compressed if they and ten thousand other bytes have six million in base64', async () => {
  // Compressed, the noise takes three quarters, and in base64 as much as before.
  expect(await fitsCompressed(noise(5_900_000))).toBe(true);
  expect(await fitsCompressed(noise(6_000_000))).toBe(false);
});
