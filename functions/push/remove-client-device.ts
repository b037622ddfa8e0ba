import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { removeDeviceChange } from '#shared/domain/push/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';

/** Deletes a device, which ends its notifications. */
export const removeClientDevice = endpoint({
  route: 'POST /remove_client_device',
  summary: 'Remove a client device',
  allow: 'human',
  needs: ['useOwn'],
  params: { device_id: json(z.int(), 'The device') },
  result: nothing,
  errors: [BadRequest],
  emits: ['device/remove'],
  uses: { table: 'write' },
  async handle({ device_id: deviceId }, { services, caller }) {
    const all = await getPushDevices(services.table, caller.userId);
    await commit(services, removeDeviceChange(all, deviceId));
    return {};
  },
});

export const handler = lambda(removeClientDevice, awsServices);
