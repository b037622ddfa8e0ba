import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { draftSession } from '#shared/api/auth/open-session.ts';
import { hashPassword } from '#shared/api/auth/password.ts';
import { getPasswordResetByKey } from '#shared/api/auth/password-reset-key.ts';
import { isWeakPassword } from '#shared/api/auth/weak-password.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text } from '#shared/api/parameters.ts';
import { networkOf } from '#shared/api/request-limit.ts';
import { BadRequest, UserDeactivated } from '#shared/domain/errors.ts';
import { newPasswordChange } from '#shared/domain/users/key.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { forgetSignInAttempts } from '#shared/store/limits/sign-in-failures.ts';
import { passwordResetEnd } from '#shared/store/users/password-resets.ts';
import { getAccount } from '#shared/store/users/users.ts';

/** Gives a person who has the link of a mail another password, and signs them in. The earlier key and sessions end. */
export const resetPassword = endpoint({
  route: 'POST /password_reset/{key}',
  summary: 'Choose another password by a link',
  allow: 'anyone',
  closes: true,
  keepsSession: true,
  params: {
    key: text(z.string(), 'The key at the end of the link'),
    password: text(z.string().check(maxLength(100)), 'The password from now on'),
  },
  result: z.object({ email: z.string(), user_id: z.int() }),
  errors: [BadRequest, ForeignRequest, UserDeactivated],
  emits: [],
  uses: { table: 'write', areas: ['accounts', 'signIns', 'signInLinks', 'newPasswords'], secret: true },
  async handle({ key, password }, { services, browser, clientAddress }) {
    const { table, clock, config } = services;
    const reset = await getPasswordResetByKey(services, key);
    const account = await getAccount(table, reset.userId);
    if (!account.isActive) throw new UserDeactivated();
    if (await isWeakPassword(password, [account.fullName, account.email]))
      throw new BadRequest('New password is too weak!');
    const passwordHash = await hashPassword(password, config.passwordCost);
    const session = draftSession(toSeconds(clock.nowMs()));
    const change = newPasswordChange(account, passwordHash, session.opens);
    await commit(services, { ...change, writes: [...change.writes, passwordResetEnd(reset)] });
    const { email } = account;
    await forgetSignInAttempts(services, { email, network: networkOf(clientAddress) });
    browser?.holdSession(session.textFor(account));
    return { email: account.email, user_id: account.userId };
  },
});

export const handler = lambda(resetPassword, awsServices);
