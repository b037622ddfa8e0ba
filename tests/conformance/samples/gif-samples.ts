import { previewPath } from '#shared/domain/gifs/preview-address.ts';
import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';
import { GifProviderServer } from '#tests/harness/gif-provider.ts';
import { openOutside } from './outside-server.ts';

/** The functions on Lambda read the same one. */
const KEY = 'sample key';

/** The address of a provider of GIFs, which the service uses from then on. */
const gifServer = (world: World): Promise<string> =>
  keep(world, 'a provider of GIFs', async () => {
    const provider = await new GifProviderServer().start();
    openOutside(world, provider.receiver);
    world.service.services.config.gifs = { provider: 'giphy', url: provider.url, key: KEY };
    return provider.url;
  });

export const gifSamples = {
  findGifs: async (world: World) => {
    await gifServer(world);
    return { query: `sample ${world.nextNumber()}` };
  },
  getGifPreview: async (world: World) => {
    const path = previewPath(KEY, `${await gifServer(world)}/small.gif`);
    return { preview: path.split('/').at(-1), still: true };
  },
};
