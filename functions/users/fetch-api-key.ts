import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { issueApiKey } from '#shared/api/issue-api-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { hashPassword, isOutdated, verifyPassword } from '#shared/api/password.ts';
import { AuthenticationFailed, BadRequest, RateLimitHit, UserDeactivated } from '#shared/domain/errors.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findPasswordHash } from '#shared/store/passwords.ts';
import { countSignInAttempt, forgetSignInAttempts } from '#shared/store/sign-in-failures.ts';
import { findAccount } from '#shared/store/users.ts';
import { passwordKeys } from '#shared/table/password-keys.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';

/** Longer texts are no passwords, only work. */
const MAX_PASSWORD_LENGTH = 1000;

/** The API key of an account in exchange for its password. Too many wrong passwords close the door for a while. */
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
  uses: { table: 'write', areas: ['signIns', 'passwords'], secret: true },
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
    await renewHash(services, account, { password, hash });
    await forgetSignInAttempts(services, email);
    return { api_key: await issueApiKey(services, account), email: account.email, user_id: account.userId };
  },
});

export const handler = lambda(fetchApiKey, awsServices);

/** A hash of an earlier release, or of another cost, is made anew, now that the password is at hand. */
async function renewHash(
  { table, config }: Services,
  { userId }: Account,
  { password, hash }: { password: string; hash: string | undefined },
): Promise<void> {
  if (!isOutdated(hash, config.passwordCost)) return;
  const set = { passwordHash: await hashPassword(password, config.passwordCost) };
  const condition = { equals: { passwordHash: hash } };
  await unlessChanged(() => table.write({ kind: 'update', key: passwordKeys.of(userId), set, condition }));
}
