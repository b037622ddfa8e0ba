import { BadRequest } from '#shared/domain/errors.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { GifProvider } from './search-gifs.ts';

/** The provider of the deployment, with its key. @throws BadRequest without one */
export async function gifProviderOf({ config, gifKey }: Services): Promise<GifProvider> {
  const { provider: name, url, key = await gifKey?.() } = config.gifs;
  if (!name || !url || !key) throw new BadRequest('GIFs are not configured.');
  return { name, url, key };
}
