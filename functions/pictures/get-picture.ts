import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { drawGenerated } from '#shared/adapters/draw-generated.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { FileReply, immutableFile } from '#shared/api/replies.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { describeGenerated } from '#shared/domain/pictures/generated.ts';
import { PICTURE_NAME, pictureFile } from '#shared/domain/pictures/picture.ts';
import { mediaTypeOf } from '#shared/runtime/file-name.ts';

/** A picture by its unguessable address: pages show it without credentials. */
export const getPicture = endpoint({
  route: 'GET /user_avatars/{picture}',
  at: 'root',
  summary: 'Get a picture',
  allow: 'anyone',
  isLight: true,
  params: { picture: text(z.string(), 'Its name in the address of a picture') },
  result: immutableFile,
  errors: [NotFound],
  emits: [],
  uses: { table: 'none', files: 'read', folders: ['pictures'] },
  async handle({ picture }, { services }) {
    const generated = describeGenerated(picture);
    if (generated) return new FileReply(drawGenerated(generated), 'image/png');
    const bytes = PICTURE_NAME.test(picture) ? await services.files.find(pictureFile(picture)) : undefined;
    if (!bytes) throw new NotFound('No such picture');
    return new FileReply(bytes, mediaTypeOf(picture));
  },
});

export const handler = lambda(getPicture, awsServices);
