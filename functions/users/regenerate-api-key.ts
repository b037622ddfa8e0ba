import * as z from 'zod/mini';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { raiseKeyVersion } from '#shared/actions/users/new-api-key.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { draftNextSession } from '#shared/api/auth/next-session.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';

/** Invalidates the caller's API key and returns the next one. Every session but the caller's ends. */
export const regenerateApiKey = endpoint({
  route: 'POST /users/me/api_key/regenerate',
  summary: 'Regenerate own API key',
  allow: 'human',
  renewsSession: true,
  params: {},
  result: z.object({ api_key: z.string() }),
  errors: [],
  emits: [],
  uses: { table: 'write', areas: ['accounts'], secret: true },
  async handle(_params, { services, caller, browser }) {
    const account = await accountOf(services.table, caller);
    const session = await draftNextSession(services, browser);
    const keyVersion = await raiseKeyVersion(services, account, session?.opens);
    if (session) browser?.holdSession(session.textFor(account));
    return { api_key: await issueApiKey(services, { ...account, keyVersion }) };
  },
});

export const handler = lambda(regenerateApiKey, awsServices);
