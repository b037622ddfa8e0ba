import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { forgetToken } from '#shared/store/push/push-tokens.ts';

/** Deletes the device token of an older iOS client. */
export const removeApnsToken = endpoint({
  route: 'DELETE /users/me/apns_device_token',
  summary: 'Remove an APNs device token (deprecated)',
  allow: 'human',
  needs: ['useOwn'],
  params: { token: text(z.string(), 'The token that was added') },
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle({ token }, { services, caller }) {
    await forgetToken(services.table, { userId: caller.userId, kind: 'apns', token });
    return {};
  },
});

export const handler = lambda(removeApnsToken, awsServices);
