import { accountOf } from '#shared/actions/users/account-of.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { ForeignRequest } from '#shared/domain/users/sessions/errors.ts';
import { signOutChange } from '#shared/domain/users/sessions/session.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';

/** Signs the person out of the calling browser, or of all browsers if the caller is a program without a session. */
export const signOut = endpoint({
  route: 'DELETE /session',
  summary: 'Sign out of a browser',
  allow: 'human',
  keepsSession: true,
  params: {},
  result: nothing,
  errors: [ForeignRequest],
  emits: [],
  uses: { table: 'write', areas: ['accounts'] },
  async handle(_params, { services, caller, browser }) {
    const account = await accountOf(services.table, caller);
    const change = signOutChange(account, caller.sessionDigest, toSeconds(services.clock.nowMs()));
    if (change) await commit(services, change);
    if (caller.sessionDigest !== undefined) browser?.holdSession(undefined);
    return {};
  },
});

export const handler = lambda(signOut, awsServices);
