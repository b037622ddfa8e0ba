import { GifProviderFailure } from '#shared/domain/gifs/gifs.ts';
import { serviceVersion } from '#shared/domain/organization/versions.ts';
import { cleanGif } from '#shared/domain/pictures/clean-gif.ts';
import type { Picture, Services } from '#shared/runtime/services.ts';
import { fetchFromProvider } from './gif-provider.ts';

const MAX_BYTES = 3 * 1024 * 1024;
const TIMEOUT_MS = 8_000;
const REDIRECTS = 2;
const STILL = { width: 320, height: 320, fit: 'inside', isSmall: true } as const;

/**
 * A GIF of the provider: its animation without anything else, or its first frame, encoded again.
 * @throws GifProviderFailure if it cannot be had, BadImage if it is no such picture
 */
export async function showGif(
  services: Services,
  url: string,
  { isStill }: { isStill: boolean },
): Promise<Picture> {
  const bytes = await fetchFromProvider(services.outside, {
    url,
    headers: {
      'user-agent': `Mozilla/5.0 (compatible; ZulipURLPreview/${serviceVersion})`,
      accept: 'image/gif',
    },
    redirects: REDIRECTS,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const { bytes: moving } = cleanGif(bytes);
  if (!isStill) return { bytes: moving, format: 'gif' };
  const { pictures } = await services.images.shrink(moving, [STILL]);
  const [still] = pictures;
  if (!still) throw new GifProviderFailure();
  return still;
}
