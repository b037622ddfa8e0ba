import * as z from 'zod/mini';
import { findGifs as find } from '#shared/actions/gifs/find-gifs.ts';
import { gifProviderOf } from '#shared/actions/gifs/gif-provider.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text, withDefault, withoutNullBytes } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { GifProviderFailure } from '#shared/domain/gifs/gifs.ts';
import { previewPath } from '#shared/domain/gifs/preview-address.ts';

const MAX_QUERY_LENGTH = 100;
const MAX_NEXT_LENGTH = 200;

/** GIFs of the operator's provider. The service calls it, so the provider learns nothing about the person. */
export const findGifs = endpoint({
  route: 'GET /gifs',
  summary: 'Find GIFs',
  allow: 'human',
  params: {
    query: withDefault(
      text(
        z.string().check(maxLength(MAX_QUERY_LENGTH), withoutNullBytes()),
        'What the GIFs show; popular GIFs without it',
      ),
      '',
    ),
    next: withDefault(
      text(
        z.string().check(maxLength(MAX_NEXT_LENGTH), withoutNullBytes()),
        'The field `next` of the page before, for the next page',
      ),
      '',
    ),
  },
  result: z.object({
    gifs: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        width: z.int(),
        height: z.int(),
        preview_url: z.string(),
      }),
    ),
    next: z.nullable(z.string()),
  }),
  errors: [BadRequest, GifProviderFailure],
  emits: [],
  uses: { table: 'write', outside: true, gifs: true },
  async handle(wanted, { services, caller }) {
    const provider = await gifProviderOf(services);
    const { gifs, next } = await find(services, provider, caller.userId, wanted);
    return {
      gifs: gifs.map(({ preview, ...gif }) => ({ ...gif, preview_url: previewPath(provider.key, preview) })),
      next,
    };
  },
});

export const handler = lambda(findGifs, awsServices);
