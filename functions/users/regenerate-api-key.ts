import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { issueApiKey } from '#shared/api/issue-api-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { accountOf } from '#shared/log/account-of.ts';
import { raiseKeyVersion } from '#shared/log/new-api-key.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';

/** Makes the caller's API key worthless and returns the next one. */
export const regenerateApiKey = endpoint({
  route: 'POST /users/me/api_key/regenerate',
  summary: 'Regenerate own API key',
  allow: 'human',
  params: {},
  result: z.object({ api_key: z.string() }),
  errors: [],
  emits: [],
  uses: { table: 'write', secret: true },
  async handle(_params, { services, caller }) {
    const account = await accountOf(services.table, caller);
    const keyVersion = await raiseKeyVersion(services, account);
    return { api_key: await issueApiKey(services, { ...account, keyVersion }) };
  },
});

export const handler = lambda(regenerateApiKey, awsServices);
