import { afterAll, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { GifProviderServer } from '#tests/harness/gif-provider.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';
import { startTestService } from '#tests/harness/service.ts';

const provider = new GifProviderServer();

await provider.start();
const service = await startTestService({
  openings: readOpenings(provider.receiver.host),
  gifs: { provider: 'giphy', url: provider.url, key: 'key' },
});
const member = await service.createUser('Member');
const preview = (await member.get('/gifs')).body.gifs[0].preview_url;
afterAll(() => provider.stop());

const open = (path: string) =>
  fetch(new URL(path, service.url), { headers: { authorization: member.authorization } });

test('A preview is the animation of the provider, served by this service for browsers to keep a day', async () => {
  const reply = await open(preview);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('image/gif');
  expect(reply.headers.get('cache-control')).toBe('private, max-age=86400');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await lookAt(await reply.bytes())).toMatchObject({ kind: 'gif', frames: 2, width: 80 });
});

test('A still preview is the first frame', async () => {
  const reply = await open(`${preview}?still=true`);
  expect(reply.headers.get('content-type')).toBe('image/webp');
  expect(await lookAt(await reply.bytes())).toMatchObject({ kind: 'webp', frames: 1, width: 80 });
});

test.each([['/gif_previews/x'], ['/gif_previews/aHR0cDovLzEyNy4wLjAuMS8.c2lnbmF0dXJl'], ['/gif_previews/.']])(
  '%s is not found, because this service signed no such address',
  async (path) => {
    const before = provider.receiver.received.length;
    expect((await open(path)).status).toBe(404);
    expect(provider.receiver.received).toHaveLength(before);
  },
);

test('A preview that is no GIF is refused', async () => {
  const { respond } = provider.receiver;
  const png = await makePicture();
  provider.receiver.respond = (_received, response) => void response.end(png);
  const reply = await open(preview);
  provider.receiver.respond = respond;
  expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'BAD_IMAGE' }]);
});

test('A preview that the provider does not have, or that is too long, is a 502', async () => {
  const { respond } = provider.receiver;
  provider.receiver.respond = (_received, response) => void response.writeHead(404).end();
  expect((await open(preview)).status).toBe(502);
  provider.receiver.respond = (_received, response) => void response.end(Buffer.alloc(4 * 1024 * 1024));
  expect((await open(preview)).status).toBe(502);
  provider.receiver.respond = respond;
});
