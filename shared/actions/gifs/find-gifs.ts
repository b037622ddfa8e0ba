import { type GifPage, ratingOf } from '#shared/domain/gifs/gifs.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findGifPage, keepGifPage } from '#shared/store/gifs.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { limitKeys } from '#shared/table/keys/limits.ts';
import type { GifProvider } from './gif-provider.ts';
import { searchGifs } from './search-gifs.ts';

interface Wanted {
  query: string;
  next: string;
}

/**
 * A page of GIFs by the rating of the organization, from the cache or from the provider.
 * @throws BadRequest if the organization has disabled GIFs; RateLimitHit when the account has
 * searched too often; GifProviderFailure
 */
export async function findGifs(
  services: Services,
  provider: GifProvider,
  userId: number,
  wanted: Wanted,
): Promise<GifPage> {
  const { table, clock, config, outside } = services;
  const { name } = provider;
  const { settings } = await getOrganization(table);
  const query = wanted.query.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const search = { query, next: wanted.next, rating: ratingOf(settings.gif_rating_policy) };
  const nowSeconds = toSeconds(clock.nowMs());
  const known = await findGifPage(table, name, search, nowSeconds);
  if (known) return known;
  await countWithin(services, limitKeys.gifSearches(userId), config.gifLimit);
  const page = await searchGifs(outside, provider, search);
  await keepGifPage(table, name, search, { page, nowSeconds });
  return page;
}
