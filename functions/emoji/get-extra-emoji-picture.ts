import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { FileReply, immutableFile } from '#shared/api/replies.ts';
import { extraPicture } from '#shared/domain/emoji/extra-picture.ts';

/**
 * The picture of `:zulip:`, the protocol's only emoji that is not a character. Messages refer to this
 * address.
 */
export const getExtraEmojiPicture = endpoint({
  route: 'GET /static/generated/emoji/images/emoji/unicode/zulip.png',
  at: 'root',
  summary: 'Get the picture of an emoji that is no character',
  allow: 'anyone',
  params: {},
  result: immutableFile,
  errors: [],
  emits: [],
  uses: { table: 'none' },
  async handle() {
    return new FileReply(extraPicture(), 'image/png');
  },
});

export const handler = lambda(getExtraEmojiPicture, awsServices);
