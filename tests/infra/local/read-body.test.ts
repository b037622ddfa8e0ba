import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { announcesTooMuch, Bodies } from '#infra/local/gateway/read-body.ts';
import { BodyTooLarge } from '#shared/domain/errors.ts';

const MOST_BYTES = 10 * 1024 * 1024;

/** A request with these headers, of which these pieces of so many bytes come. */
function requestOf(headers: Record<string, string>, ...pieces: number[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  for (const bytes of pieces) request.push(Buffer.alloc(bytes));
  request.push(null);
  return request;
}

describe('The body of a request', () => {
  test('May have exactly 10 MiB, announced or not', async () => {
    for (const headers of [{}, { 'content-length': String(MOST_BYTES) }]) {
      const request = requestOf(headers, MOST_BYTES - 1, 1);
      expect(announcesTooMuch(request)).toBe(false);
      expect((await new Bodies().read(request))?.bytes.length).toBe(MOST_BYTES);
    }
  });

  test('May not have a byte more, announced or not', async () => {
    await expect(new Bodies().read(requestOf({}, MOST_BYTES, 1))).rejects.toThrow(BodyTooLarge);
    const announced = requestOf({ 'content-length': String(MOST_BYTES + 1) });
    expect(announcesTooMuch(announced)).toBe(true);
    await expect(new Bodies().read(announced)).rejects.toThrow(BodyTooLarge);
  });

  test('Counts as missing if it did not arrive whole', async () => {
    const request = new IncomingMessage(new Socket());
    const reading = new Bodies().read(request);
    request.destroy();
    expect(await reading).toBeUndefined();
  });
});
