import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { pickFrom } from '#shared/domain/users/bot-storage.ts';
import { getBotStorage as getStorage } from '#shared/store/users/bot-storage.ts';

/** The caller's stored texts. */
export const getBotStorage = endpoint({
  route: 'GET /bot_storage',
  summary: 'Get the kept texts of a bot',
  allow: 'user',
  params: { keys: optional(json(z.array(z.string()), 'The keys of the texts; all texts when absent')) },
  result: z.object({ storage: z.record(z.string(), z.string()) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle({ keys = [] }, { services, caller }) {
    const { storage } = await getStorage(services.table, caller.userId);
    return { storage: Object.fromEntries(pickFrom(storage, keys)) };
  },
});

export const handler = lambda(getBotStorage, awsServices);
