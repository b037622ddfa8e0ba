import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { signInByPassword } from '#shared/api/auth/password-sign-in.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { AuthenticationFailed, BadRequest, RateLimitHit, UserDeactivated } from '#shared/domain/errors.ts';

/** The API key of an account in exchange for its password. */
export const fetchApiKey = endpoint({
  route: 'POST /fetch_api_key',
  summary: 'Fetch an API key',
  allow: 'anyone',
  closes: true,
  params: {
    username: text(z.string(), 'The e-mail address of the account'),
    password: text(z.string(), 'Its password'),
  },
  result: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  errors: [AuthenticationFailed, BadRequest, RateLimitHit, UserDeactivated],
  emits: [],
  uses: { table: 'write', areas: ['accounts', 'signIns', 'passwords'], secret: true },
  async handle(params, { services, clientAddress }) {
    const account = await signInByPassword(services, params, clientAddress);
    return { api_key: await issueApiKey(services, account), email: account.email, user_id: account.userId };
  },
});

export const handler = lambda(fetchApiKey, awsServices);
