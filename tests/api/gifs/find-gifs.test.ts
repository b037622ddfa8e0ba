// The operations findGifs and getGifPreview.
import { beforeEach, describe, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { Client } from '#tests/harness/client.ts';
import { GifProviderServer } from '#tests/harness/gif-provider.ts';
import { lookAt, makePicture } from '#tests/harness/pictures.ts';
import type { Respond } from '#tests/harness/receiver.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const KEY = 'a key of the operator';
const LIMIT = 4;

const provider = new GifProviderServer();
await provider.start();
const { gifs: samples, receiver } = provider;
const { respond } = receiver;
let count = 0;

/** Words that no test has searched for. */
const fresh = (): string => `words ${++count}`;

const find = (caller: Client, params: Record<string, unknown> = {}) => caller.get('/gifs', params);
const lastSearch = (): URL => {
  const search = provider.searches.at(-1);
  if (!search) throw new Error('The provider received no search');
  return search;
};
const lastParams = () => Object.fromEntries(lastSearch().searchParams);
const answering =
  (answer: string | Uint8Array, status = 200): Respond =>
  (_received, response) =>
    void response.writeHead(status).end(answer);

const openings = readOpenings(receiver.host);
const gifs = { url: provider.url, key: KEY };
const gifLimit = { limit: 1_000, windowSeconds: 600 };
const giphy = await startTestService({ openings, gifLimit, gifs: { ...gifs, provider: 'giphy' } });
const klipy = await startTestService({ openings, gifLimit, gifs: { ...gifs, provider: 'klipy' } });
const bare = await startTestService({ gifs: {} });
const member = await giphy.createUser('Member');
beforeEach(async () => {
  receiver.received.length = 0;
  Object.assign(provider, { status: 200, gifs: samples });
  receiver.respond = respond;
  await giphy.owner.patch('/realm', { gif_rating_policy: 2 });
});

describe('GET /gifs', () => {
  test('Searches GIPHY with the key of the operator, and nothing of the caller', async () => {
    const query = fresh();
    const { status, body } = await find(member, { query });
    expect(status).toBe(200);
    expect(body.gifs[0]).toEqual({
      id: 'a1',
      title: 'Cat high five',
      url: `${provider.url}/media/a1/downsized.gif`,
      width: 480,
      height: 360,
      preview_url: expect.stringMatching(/^\/gif_previews\/[\w-]+\.[\w-]+$/),
    });
    expect(body.gifs).toHaveLength(2);
    expect(lastSearch().pathname).toBe('/v1/gifs/search');
    expect(lastParams()).toEqual({ api_key: KEY, q: query, limit: '20', offset: '0', rating: 'g' });
    const { headers } = receiver.received[0] ?? {};
    for (const name of ['authorization', 'cookie']) expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  test('Without words returns popular GIFs, and `next` leads from page to page until the last', async () => {
    const pages = [];
    let next: string | null = '';
    while (next !== null) {
      const { body } = await find(member, { next });
      pages.push(lastParams().offset);
      next = body.next;
    }
    expect(pages).toEqual(['0', '2', '4']);
    expect(lastSearch().pathname).toBe('/v1/gifs/trending');
  });

  test('Searches KLIPY by its own names', async () => {
    const { body } = await find(klipy.owner, { query: 'Grüße  an alle' });
    const url = `${provider.url}/media/a1/medium.gif`;
    expect(body.gifs[0]).toMatchObject({ title: 'Cat high five', url, width: 480 });
    expect(lastSearch().pathname).toBe('/v2/search');
    expect(lastParams()).toMatchObject({ key: KEY, q: 'grüße an alle', contentfilter: 'high' });
    await find(klipy.owner, { query: 'grüße an alle', next: body.next });
    expect(lastParams().pos).toBe('1');
    await find(klipy.owner);
    expect(lastSearch().pathname).toBe('/v2/featured');
  });

  test.each([
    [1, 'y'],
    [3, 'pg'],
    [4, 'pg-13'],
    [5, 'r'],
  ])('The setting gif_rating_policy %i requests the rating %s', async (policy, rating) => {
    await giphy.owner.patch('/realm', { gif_rating_policy: policy });
    await find(member, { query: fresh() });
    expect(lastParams().rating).toBe(rating);
  });

  test('The same search is answered from the cache for ten minutes, by its rating', async () => {
    const query = fresh();
    const { body } = await find(member, { query });
    expect((await find(giphy.owner, { query: `  ${query.toUpperCase()} ` })).body.gifs).toEqual(body.gifs);
    expect(provider.searches).toHaveLength(1);
    await giphy.owner.patch('/realm', { gif_rating_policy: 3 });
    await find(member, { query });
    expect(provider.searches).toHaveLength(2);
    giphy.advance(601_000);
    await find(member, { query });
    expect(provider.searches).toHaveLength(3);
  });

  test('An answer from the cache costs no write', async () => {
    const query = fresh();
    await find(member, { query });
    giphy.meter.reset();
    await find(member, { query });
    expect(giphy.meter).toMatchObject({ write: 0 });
    expect(giphy.meter.read).toBeLessThanOrEqual(4);
  });

  test('A search of twenty GIFs with long titles and addresses costs at most 30 units', async () => {
    provider.gifs = Array.from({ length: 20 }, (_, index) => ({
      id: `${index}${'i'.repeat(60)}`,
      title: 'A title that does not end '.repeat(20),
    }));
    giphy.meter.reset();
    const { body } = await find(member, { query: fresh() });
    expect(body.gifs).toHaveLength(20);
    expect(body.gifs[0].title).toHaveLength(200);
    const { read, write } = giphy.meter;
    expect(read + write).toBeLessThanOrEqual(30);
  });

  test('Refuses everyone if the organization has disabled GIFs, and calls no provider', async () => {
    await giphy.owner.patch('/realm', { gif_rating_policy: 0 });
    expectRefusal(await find(member, { query: fresh() }), 'GIFs are disabled in this organization.');
    expect(provider.searches).toEqual([]);
  });

  test('Without a provider is refused, and the snapshot names none', async () => {
    expectRefusal(await find(bare.owner), 'GIFs are not configured.');
    expect((await bare.owner.register()).snapshot.server_gif_provider).toBeNull();
  });

  test('The snapshot names the provider and no key', async () => {
    const { snapshot } = await member.register();
    expect(snapshot).toMatchObject({ server_gif_provider: 'GIPHY', giphy_api_key: '', klipy_api_key: '' });
    expect((await klipy.owner.register()).snapshot.server_gif_provider).toBe('KLIPY');
    expect(JSON.stringify(snapshot)).not.toContain(KEY);
  });

  test.each([[429], [500], [302]])('An answer of the provider with status %i is a 502', async (answer) => {
    provider.status = answer;
    const query = fresh();
    const { status, body } = await find(member, { query });
    expect([status, body.code]).toEqual([502, 'BAD_GATEWAY']);
    expect(JSON.stringify(body)).not.toContain(KEY);
    provider.status = 200;
    expect((await find(member, { query })).status).toBe(200);
  });

  test('GIFs that the provider describes wrongly are left out', async () => {
    const picture = { url: 'javascript:alert(1)', width: '10', height: '10' };
    const good = { ...picture, url: `${provider.url}/media/x/downsized.gif` };
    const data = [
      7,
      { id: 'x' },
      { id: 'y', title: '', images: { downsized: picture, fixed_width: picture } },
      { id: 'z', images: { downsized: good, fixed_width: good } },
    ];
    const pagination = { total_count: 4, count: 4, offset: 0 };
    receiver.respond = answering(JSON.stringify({ data, pagination }));
    const { body } = await find(member, { query: fresh() });
    expect(body.gifs.map(({ id }: { id: string }) => id)).toEqual(['z']);
    expect(body.next).toBeNull();
  });

  test('An answer that cannot be read is a 502', async () => {
    for (const answer of ['{"data":', '[]', `"${'x'.repeat(1024 * 1024)}"`]) {
      receiver.respond = answering(answer);
      expect((await find(member, { query: fresh() })).status).toBe(502);
    }
  });

  test('Limits how often one account reaches the provider; cached answers stay free', async () => {
    const limit = { limit: LIMIT, windowSeconds: 600 };
    const service = await startTestService({
      openings,
      gifs: { ...gifs, provider: 'giphy' },
      gifLimit: limit,
    });
    const queries = Array.from({ length: LIMIT }, fresh);
    for (const query of queries) expect((await find(service.owner, { query })).status).toBe(200);
    const { status, body } = await find(service.owner, { query: fresh() });
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect((await find(service.owner, { query: queries[0] })).status).toBe(200);
    const other = await service.createUser('Other');
    expect((await find(other, { query: fresh() })).status).toBe(200);
    service.advance(601_000);
    expect((await find(service.owner, { query: fresh() })).status).toBe(200);
  });
});

const preview = (await find(member, { query: fresh() })).body.gifs[0].preview_url;

const open = (path: string) =>
  fetch(new URL(path, giphy.url), { headers: { authorization: member.authorization } });

test('A preview is the animation of the provider, served by this service for browsers to keep a day', async () => {
  const reply = await open(preview);
  const names = ['content-type', 'cache-control', 'x-content-type-options'];
  const values = names.map((name) => reply.headers.get(name));
  expect([reply.status, ...values]).toEqual([200, 'image/gif', 'private, max-age=86400', 'nosniff']);
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
    expect((await open(path)).status).toBe(404);
    expect(receiver.received).toEqual([]);
  },
);

test('A preview that is no GIF is refused', async () => {
  receiver.respond = answering(await makePicture());
  const reply = await open(preview);
  expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'BAD_IMAGE' }]);
});

test('A preview that the provider does not have, or that is too long, is a 502', async () => {
  for (const answer of [answering('', 404), answering(Buffer.alloc(4 * 1024 * 1024))]) {
    receiver.respond = answer;
    expect((await open(preview)).status).toBe(502);
  }
});
