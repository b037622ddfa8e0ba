import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { listActive } from '#shared/domain/push/device.ts';
import {
  AdminActionRequired,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
  InvalidPushDeviceToken,
  NoActivePushDevice,
} from '#shared/domain/push/errors.ts';
import { sendTestTo } from '#shared/push/send-test.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';
import { hasToken } from '#shared/store/push/push-tokens.ts';

/**
 * The older method for test notifications. Without a token it sends to all registered devices of the caller,
 * if there are any.
 * Tokens of the older kind get no notification, and naming one is an error.
 */
export const sendOlderTestNotification = endpoint({
  route: 'POST /mobile_push/test_notification',
  summary: 'Send a test notification',
  allow: 'human',
  params: { token: optional(text(z.string(), 'A device token of the caller; all devices when absent')) },
  result: nothing,
  errors: [
    InvalidPushDeviceToken,
    NoActivePushDevice,
    AdminActionRequired,
    FailedToConnectBouncer,
    InternalServerErrorOnBouncer,
  ],
  emits: ['device/update'],
  uses: { table: 'write', relay: true, secret: true },
  async handle({ token }, { services, caller }) {
    const { userId } = caller;
    if (token !== undefined) {
      if (!(await hasToken(services.table, userId, token))) throw new InvalidPushDeviceToken();
      throw new AdminActionRequired();
    }
    const devices = listActive(await getPushDevices(services.table, userId));
    if (devices.length > 0) await sendTestTo(services, userId, devices);
    return {};
  },
});

export const handler = lambda(sendOlderTestNotification, awsServices);
