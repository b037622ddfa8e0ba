import { BadRequest } from '#shared/domain/errors.ts';
import { GifProviderFailure } from '#shared/domain/gifs/gifs.ts';
import type { GifProviderName } from '#shared/domain/gifs/providers.ts';
import { type Outside, OutsideFailure, type OutsideRequest } from '#shared/runtime/outside/outside.ts';
import type { Services } from '#shared/runtime/services.ts';

/** A provider of GIFs, and this deployment's key there. */
export interface GifProvider {
  name: GifProviderName;
  url: string;
  key: string;
}

/** The provider of the deployment, with its key. @throws BadRequest without one */
export async function gifProviderOf({ config, gifKey }: Services): Promise<GifProvider> {
  const { provider: name, url, key = await gifKey?.() } = config.gifs;
  if (!name || !url || !key) throw new BadRequest('GIFs are not configured.');
  return { name, url, key };
}

/** The body of a reply that is a success and not too long. @throws GifProviderFailure for every other outcome */
export async function fetchFromProvider(
  outside: Outside,
  request: Omit<OutsideRequest, 'method' | 'ifLonger'>,
): Promise<Uint8Array> {
  try {
    const { status, body } = await outside.call({ ...request, method: 'GET', ifLonger: 'fail' });
    if (status === 200) return body;
  } catch (failure) {
    if (!(failure instanceof OutsideFailure)) throw failure;
  }
  throw new GifProviderFailure();
}
