import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import type { Browser } from '#shared/api/auth/browser.ts';
import { openSession } from '#shared/api/auth/open-session.ts';
import { signInByPassword } from '#shared/api/auth/password-sign-in.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { optional, text } from '#shared/api/parameters.ts';
import {
  AuthenticationFailed,
  BadRequest,
  MissingArgument,
  RateLimitHit,
  UserDeactivated,
} from '#shared/domain/errors.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findSignInLink, signInLinkEnd } from '#shared/store/users/sign-in-links.ts';
import { findAccount } from '#shared/store/users/users.ts';

/** Signs a person in to a browser, which holds a session from then on: by password, or by a link that does so once. */
export const signIn = endpoint({
  route: 'POST /session',
  summary: 'Sign in to a browser',
  allow: 'anyone',
  closes: true,
  keepsSession: true,
  params: {
    username: optional(text(z.string(), 'The e-mail address of the account')),
    password: optional(text(z.string(), 'Its password')),
    token: optional(text(z.string(), 'The token of a sign-in link, instead of address and password')),
  },
  result: z.object({ email: z.string(), user_id: z.int() }),
  errors: [AuthenticationFailed, BadRequest, ForeignRequest, MissingArgument, RateLimitHit, UserDeactivated],
  emits: [],
  uses: { table: 'write', areas: ['accounts', 'signIns', 'signInLinks', 'passwords'] },
  async handle({ username, password, token }, { services, browser, clientAddress }) {
    if (token !== undefined) return toReply(await signInByLink(services, token, browser));
    if (username === undefined) throw new MissingArgument('username');
    if (password === undefined) throw new MissingArgument('password');
    const account = await signInByPassword(services, { username, password }, clientAddress);
    await openSession(services, account, browser);
    return toReply(account);
  },
});

export const handler = lambda(signIn, awsServices);

const toReply = ({ email, userId }: Account) => ({ email, user_id: userId });

/** @throws BadRequest for an invalid, used or expired link; UserDeactivated */
async function signInByLink(services: Services, token: string, browser?: Browser): Promise<Account> {
  const { table, clock } = services;
  const link = await findSignInLink(table, token);
  const isOpen = link && link.expiresAtSeconds > toSeconds(clock.nowMs());
  const account = isOpen && (await findAccount(table, link.email));
  if (!account) throw new BadRequest('This link was used, or has expired.');
  if (!account.isActive) throw new UserDeactivated();
  await openSession(services, account, browser, signInLinkEnd(token));
  return account;
}
