import * as z from 'zod/mini';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { text } from '#shared/api/parameters.ts';
import { AuthenticationFailed, BadRequest, UserDeactivated } from '#shared/domain/errors.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { findAccount } from '#shared/store/users/users.ts';

/**
 * Gives anyone the API key of any account, for trying the API. It is not among the functions, so no AWS build
 * can contain it.
 */
export const devFetchApiKey = endpoint({
  route: 'POST /dev_fetch_api_key',
  summary: 'Fetch an API key (local service only)',
  allow: 'anyone',
  params: { username: text(z.string(), "The account's e-mail address.") },
  result: z.strictObject({ api_key: z.string(), email: z.string(), user_id: z.number() }),
  errors: [AuthenticationFailed, BadRequest, UserDeactivated],
  emits: [],
  uses: { table: 'write', secret: true },
  async handle({ username }, { services }) {
    const account = await findAccount(services.table, checkEmail(username));
    if (!account) throw new AuthenticationFailed();
    if (!account.isActive) throw new UserDeactivated();
    return { api_key: await issueApiKey(services, account), email: account.email, user_id: account.userId };
  },
});
