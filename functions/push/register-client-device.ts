import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { addDeviceChange } from '#shared/domain/push/changes.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getPushDevices } from '#shared/store/push/push-devices.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Gives a client's device an id, which is needed to register it for notifications. */
export const registerClientDevice = endpoint({
  route: 'POST /register_client_device',
  summary: 'Register a client device',
  allow: 'human',
  creates: true,
  params: {},
  result: z.object({ device_id: z.int() }),
  errors: [BadRequest],
  emits: ['device/add'],
  uses: { table: 'write' },
  async handle(_params, { services, caller, retry }) {
    const all = await getPushDevices(services.table, caller.userId);
    const deviceId = await services.table.increment(organizationKeys.counter('device'), 'id');
    return commitWithAnswer(services, retry, addDeviceChange(all, deviceId), { device_id: deviceId });
  },
});

export const handler = lambda(registerClientDevice, awsServices);
