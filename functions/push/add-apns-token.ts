import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { keepToken } from '#shared/store/push/push-tokens.ts';

const appId = z
  .string()
  .check(z.refine<string>((value) => /^[.a-z\d-]{1,200}$/i.test(value), { error: '{p} has invalid format' }));

/**
 * Stores the device token of an older iOS client. It gets no notifications, because they could not be
 * encrypted.
 */
export const addApnsToken = endpoint({
  route: 'POST /users/me/apns_device_token',
  summary: 'Add an APNs device token (deprecated)',
  allow: 'human',
  params: {
    token: text(z.string(), 'The token that Apple gave the device, in Base64'),
    appid: text(appId, 'The bundle id of the app'),
  },
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle({ token, appid }, { services, caller }) {
    await keepToken(services.table, { userId: caller.userId, kind: 'apns', token }, { appId: appid });
    return {};
  },
});

export const handler = lambda(addApnsToken, awsServices);
