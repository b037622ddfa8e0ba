import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { emojiRecord } from '#shared/api/contracts/emoji.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toEmojiRecords } from '#shared/domain/emoji/custom-emoji.ts';
import { listCustomEmoji as listAll } from '#shared/store/emoji/custom-emoji.ts';

/** Custom emoji by id, deactivated ones included. */
export const listCustomEmoji = endpoint({
  route: 'GET /realm/emoji',
  summary: 'List custom emoji',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {},
  result: z.object({ emoji: z.record(z.string(), emojiRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    return { emoji: toEmojiRecords(await listAll(services.table)) };
  },
});

export const handler = lambda(listCustomEmoji, awsServices);
