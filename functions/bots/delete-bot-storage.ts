import * as z from 'zod/mini';
import { changeBotStorage } from '#shared/actions/bots/bot-storage.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { storageWithout } from '#shared/domain/users/bot-storage.ts';

/** Deletes stored texts of the caller; all named ones or none. */
export const deleteBotStorage = endpoint({
  route: 'DELETE /bot_storage',
  summary: 'Delete kept texts of a bot',
  allow: 'user',
  params: { keys: optional(json(z.array(z.string()), 'The keys of the texts; all texts when absent')) },
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle({ keys = [] }, { services, caller }) {
    await changeBotStorage(services, caller.userId, (storage) => storageWithout(storage, keys));
    return {};
  },
});

export const handler = lambda(deleteBotStorage, awsServices);
