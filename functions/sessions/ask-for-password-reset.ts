import * as z from 'zod/mini';
import { requireMail } from '#shared/actions/invitations/inviting.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { networkOf } from '#shared/api/request-limit.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, RateLimitHit } from '#shared/domain/errors.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { commit } from '#shared/log/commit.ts';
import { countOfAll } from '#shared/store/limits/sign-in-failures.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';

/**
 * Mails a link with which a person chooses a new password. Neither answer nor cost reveals whether the address has
 * an account: a job checks that.
 */
export const askForPasswordReset = endpoint({
  route: 'POST /password_reset',
  summary: 'Request a link to choose another password',
  allow: 'anyone',
  closes: true,
  params: { email: text(z.string(), 'The e-mail address of the account') },
  result: nothing,
  errors: [BadRequest, RateLimitHit],
  emits: [],
  uses: { table: 'write', areas: ['signIns', 'signInLinks'], bus: true },
  async handle(params, { services, clientAddress }) {
    const { mailLimits } = services.config;
    requireMail(services.config);
    const email = checkEmail(params.email);
    const network = networkOf(clientAddress);
    const { confirmationsFrom, confirmationsTo, confirmationsToAll } = mailLimits;
    await countWithin(services, signInKeys.resetCount(`from ${network}`), confirmationsFrom);
    await countWithin(services, signInKeys.resetCount(`to ${email} from ${network}`), confirmationsTo);
    const ofAll = signInKeys.resetCount(`to ${email}`);
    await countOfAll(services, ofAll, confirmationsToAll, { email, network });
    await commit(services, { jobs: [{ type: 'mail-password-reset', payload: { email }, steps: ONE_STEP }] });
    return {};
  },
});

export const handler = lambda(askForPasswordReset, awsServices);
