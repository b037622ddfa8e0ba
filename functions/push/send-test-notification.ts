import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { listActive } from '#shared/domain/push/device.ts';
import {
  AdminActionRequired,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
  NoActivePushDevice,
} from '#shared/domain/push/errors.ts';
import { sendTestTo } from '#shared/push/send-test.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';

/** Sends a test notification to one or all of the caller's devices. */
export const sendTestNotification = endpoint({
  route: 'POST /mobile_push/e2ee/test_notification',
  summary: 'Send an encrypted test notification',
  allow: 'human',
  needs: ['useOwn'],
  params: { device_id: optional(json(z.int(), 'The device; all that are registered when absent')) },
  result: nothing,
  errors: [NoActivePushDevice, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer],
  emits: ['device/update'],
  uses: { table: 'write', relay: true, secret: true },
  async handle({ device_id: deviceId }, { services, caller }) {
    const devices = listActive(await getPushDevices(services.table, caller.userId)).filter(
      (device) => deviceId === undefined || device.deviceId === deviceId,
    );
    await sendTestTo(services, caller.userId, devices);
    return {};
  },
});

export const handler = lambda(sendTestNotification, awsServices);
