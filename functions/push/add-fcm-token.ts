import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { keepToken } from '#shared/store/push/push-tokens.ts';

/**
 * Stores the device token of an older Android client. It gets no notifications, because they could not be
 * encrypted.
 */
export const addFcmToken = endpoint({
  route: 'POST /users/me/android_gcm_reg_id',
  summary: 'Add an FCM registration token (deprecated)',
  allow: 'human',
  params: { token: text(z.string(), 'The token that Google gave the device') },
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle({ token }, { services, caller }) {
    await keepToken(services.table, { userId: caller.userId, kind: 'fcm', token });
    return {};
  },
});

export const handler = lambda(addFcmToken, awsServices);
