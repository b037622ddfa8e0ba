import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { issueApiKey } from '#shared/api/issue-api-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { verifyPassword } from '#shared/api/password.ts';
import { AuthenticationFailed, BadRequest, RateLimitHit, UserDeactivated } from '#shared/domain/errors.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { findPasswordHash } from '#shared/store/passwords.ts';
import { countSignInAttempt, forgetSignInAttempts } from '#shared/store/sign-in-failures.ts';
import { findAccount } from '#shared/store/users.ts';

/** Longer texts are no passwords, only work. */
const MAX_PASSWORD_LENGTH = 1000;

/** The API key of an account in exchange for its password. Too many wrong passwords close the door for a while. */
export const fetchApiKey = endpoint({
  route: 'POST /fetch_api_key',
  summary: 'Fetch an API key',
  allow: 'anyone',
  params: {
    username: text(z.string(), 'The e-mail address of the account'),
    password: text(z.string(), 'Its password'),
  },
  result: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  errors: [AuthenticationFailed, BadRequest, RateLimitHit, UserDeactivated],
  emits: [],
  uses: { table: 'write', secret: true },
  memoryMegabytes: 512,
  async handle(params, { services }) {
    const email = checkEmail(params.username);
    await countSignInAttempt(services, email);
    const account = await findAccount(services.table, email);
    const password = params.password.slice(0, MAX_PASSWORD_LENGTH);
    const hash = await findPasswordHash(services.table, account);
    const isRight = await verifyPassword(password, hash, services.config.passwordCost);
    if (!account || !isRight) throw new AuthenticationFailed();
    if (!account.isActive) throw new UserDeactivated();
    await forgetSignInAttempts(services, email);
    return { api_key: await issueApiKey(services, account), email: account.email, user_id: account.userId };
  },
});

export const handler = lambda(fetchApiKey, awsServices);
