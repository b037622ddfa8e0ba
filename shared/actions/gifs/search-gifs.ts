import * as z from 'zod/mini';
import {
  type Gif,
  type GifPage,
  GifProviderFailure,
  type GifRating,
  type GifSearch,
} from '#shared/domain/gifs/gifs.ts';
import type { GifProviderName } from '#shared/domain/gifs/providers.ts';
import type { Outside } from '#shared/runtime/outside/outside.ts';
import { fetchFromProvider, type GifProvider } from './gif-provider.ts';

const PAGE = 20;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
const MAX_TITLE_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 1_000;
/** GIPHY's largest offset. */
const MAX_OFFSET = 4_999;

/** A page of GIFs from the provider. @throws GifProviderFailure */
export async function searchGifs(
  outside: Outside,
  provider: GifProvider,
  search: GifSearch,
): Promise<GifPage> {
  const read = readers[provider.name];
  const address = addresses[provider.name](search);
  const url = new URL(address.path, provider.url);
  for (const [name, value] of Object.entries({ ...address.query, limit: PAGE }))
    url.searchParams.set(name, String(value));
  url.searchParams.set(provider.name === 'giphy' ? 'api_key' : 'key', provider.key);
  const reply = await fetchFromProvider(outside, {
    url: url.href,
    headers: { accept: 'application/json' },
    // The key is not carried to another address.
    redirects: 0,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  return read(jsonOf(reply), search);
}

function jsonOf(reply: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(reply).toString());
  } catch {
    throw new GifProviderFailure();
  }
}

interface Address {
  path: string;
  query: Record<string, string>;
}

/** KLIPY has the API of Tenor, whose content filter has four steps. */
const CONTENT_FILTERS: Record<GifRating, string> = {
  y: 'high',
  g: 'high',
  pg: 'medium',
  'pg-13': 'low',
  r: 'off',
};

const addresses: Record<GifProviderName, (search: GifSearch) => Address> = {
  giphy: ({ query, next, rating }) => ({
    path: query === '' ? '/v1/gifs/trending' : '/v1/gifs/search',
    query: { ...(query !== '' && { q: query }), offset: String(offsetOf(next)), rating },
  }),
  klipy: ({ query, next, rating }) => ({
    path: query === '' ? '/v2/featured' : '/v2/search',
    query: {
      ...(query !== '' && { q: query }),
      ...(next !== '' && { pos: next }),
      contentfilter: CONTENT_FILTERS[rating],
      media_filter: 'gif,mediumgif,tinygif',
    },
  }),
};

const offsetOf = (next: string): number => (/^\d{1,4}$/.test(next) ? Math.min(Number(next), MAX_OFFSET) : 0);

const giphyPicture = z.object({ url: z.string(), width: z.coerce.number(), height: z.coerce.number() });
const giphyGif = z.object({
  id: z.string(),
  title: z._default(z.string(), ''),
  images: z.object({
    downsized: z.optional(giphyPicture),
    fixed_height: z.optional(giphyPicture),
    fixed_width: z.optional(giphyPicture),
    fixed_width_downsampled: z.optional(giphyPicture),
  }),
});
const giphyReply = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ total_count: z._default(z.int(), 0), count: z.int(), offset: z.int() }),
});

const klipyPicture = z.object({ url: z.string(), dims: z.tuple([z.number(), z.number()]) });
const klipyGif = z.object({
  id: z.union([z.string(), z.pipe(z.int(), z.transform(String))]),
  title: z._default(z.string(), ''),
  content_description: z._default(z.string(), ''),
  media_formats: z.object({
    gif: z.optional(klipyPicture),
    mediumgif: z.optional(klipyPicture),
    tinygif: z.optional(klipyPicture),
  }),
});
const klipyReply = z.object({ results: z.array(z.unknown()), next: z._default(z.string(), '') });

const readers: Record<GifProviderName, (body: unknown, search: GifSearch) => GifPage> = {
  giphy(body) {
    const { data, pagination } = parse(giphyReply, body);
    const end = pagination.offset + pagination.count;
    const hasMore = pagination.count > 0 && end < pagination.total_count && end <= MAX_OFFSET;
    return { gifs: data.flatMap(readGiphy), next: hasMore ? String(end) : null };
  },
  klipy(body, search) {
    const { results, next } = parse(klipyReply, body);
    const hasMore = results.length > 0 && next !== '' && next !== search.next;
    return { gifs: results.flatMap(readKlipy), next: hasMore ? next : null };
  },
};

function readGiphy(input: unknown): Gif[] {
  const { data: gif } = z.safeParse(giphyGif, input);
  if (!gif) return [];
  const { downsized, fixed_height, fixed_width, fixed_width_downsampled } = gif.images;
  const whole = downsized ?? fixed_height;
  const small = fixed_width_downsampled ?? fixed_width ?? fixed_height;
  return describe(gif.id, gif.title, whole, small);
}

function readKlipy(input: unknown): Gif[] {
  const { data: item } = z.safeParse(klipyGif, input);
  if (!item) return [];
  const { gif, mediumgif, tinygif } = item.media_formats;
  const sized = (picture?: z.output<typeof klipyPicture>) =>
    picture && { url: picture.url, width: picture.dims[0], height: picture.dims[1] };
  const title = item.content_description || item.title;
  return describe(item.id, title, sized(mediumgif ?? gif ?? tinygif), sized(tinygif ?? mediumgif));
}

type Sized = z.output<typeof giphyPicture>;

/** Nothing for a GIF without usable addresses. */
function describe(id: string, title: string, whole: Sized | undefined, small: Sized | undefined): Gif[] {
  if (!whole || !small || ![whole.url, small.url].every(isAddress)) return [];
  const { url, width, height } = whole;
  if (!isSide(width) || !isSide(height)) return [];
  return [{ id, title: title.trim().slice(0, MAX_TITLE_LENGTH), url, width, height, preview: small.url }];
}

const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0 && pixels <= 10_000;

/** Characters that would end a link in a message make an address unusable. */
const isAddress = (url: string): boolean =>
  url.length <= MAX_ADDRESS_LENGTH && /^https?:\/\/[^\s()<>[\]\\]+$/.test(url) && URL.canParse(url);

function parse<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data } = z.safeParse(schema, body);
  if (!data) throw new GifProviderFailure();
  return data;
}
