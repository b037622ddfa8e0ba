import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { getAlertWords } from '#shared/store/users/alert-words.ts';

/** The caller's alert words in the order of addition. */
export const listAlertWords = endpoint({
  route: 'GET /users/me/alert_words',
  summary: 'List alert words',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ alert_words: z.array(z.string()) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services, caller }) {
    const { words } = await getAlertWords(services.table, caller.userId);
    return { alert_words: words.map(({ word }) => word) };
  },
});

export const handler = lambda(listAlertWords, awsServices);
