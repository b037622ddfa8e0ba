import * as z from 'zod/mini';
import { gifProviderOf } from '#shared/actions/gifs/gif-provider.ts';
import { showGif } from '#shared/actions/gifs/show-gif.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { FileReply, file } from '#shared/api/replies.ts';
import { BadImage, BadRequest, NotFound } from '#shared/domain/errors.ts';
import { GifProviderFailure } from '#shared/domain/gifs/gifs.ts';
import { readPreview } from '#shared/domain/gifs/preview-address.ts';

/** The small form of a GIF, fetched by the service, so that no browser contacts the provider. */
export const getGifPreview = endpoint({
  route: 'GET /gif_previews/{preview}',
  at: 'root',
  summary: 'Get the preview of a GIF',
  allow: 'human',
  isLight: true,
  params: {
    preview: text(z.string(), 'The last part of a `preview_url`'),
    still: withDefault(json(z.boolean(), 'Whether only the first frame is wanted'), false),
  },
  result: file,
  errors: [BadRequest, NotFound, BadImage, GifProviderFailure],
  emits: [],
  uses: { table: 'none', outside: true, images: true, gifs: true },
  memoryMegabytes: 1769,
  async handle({ preview, still }, { services }) {
    const url = readPreview((await gifProviderOf(services)).key, preview);
    if (url === undefined) throw new NotFound('No such GIF');
    const { bytes, format } = await showGif(services, url, { isStill: still });
    return new FileReply(bytes, `image/${format}`, {
      'Cache-Control': 'private, max-age=86400',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  },
});

export const handler = lambda(getGifPreview, awsServices);
