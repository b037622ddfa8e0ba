import * as z from 'zod/mini';
import { changeBotStorage } from '#shared/actions/bots/bot-storage.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { storageWith } from '#shared/domain/users/bot-storage.ts';

/** Stores texts of the caller under keys of its choice, replacing earlier ones; all or none. */
export const updateBotStorage = endpoint({
  route: 'PUT /bot_storage',
  summary: 'Keep texts of a bot',
  allow: 'user',
  params: { storage: json(z.record(z.string(), z.string()), 'Texts by key') },
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle({ storage: input }, { services, caller }) {
    await changeBotStorage(services, caller.userId, (storage) => storageWith(storage, Object.entries(input)));
    return {};
  },
});

export const handler = lambda(updateBotStorage, awsServices);
