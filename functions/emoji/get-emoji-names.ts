import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { JsonDocument, jsonDocument } from '#shared/api/replies.ts';
import { listEmojiNames } from '#shared/domain/emoji/unicode-emoji.ts';

/**
 * The names of all Unicode emoji, `{"code_to_names": {"1f600": ["grinning"], ...}}`. Register announces this
 * address.
 */
export const getEmojiNames = endpoint({
  route: 'GET /static/emoji.json',
  at: 'root',
  summary: 'Get the names of emoji',
  allow: 'anyone',
  params: {},
  result: jsonDocument,
  errors: [],
  emits: [],
  uses: { table: 'none' },
  async handle() {
    return new JsonDocument(JSON.stringify({ code_to_names: listEmojiNames() }));
  },
});

export const handler = lambda(getEmojiNames, awsServices);
