import * as z from 'zod/mini';
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
import { testPayload } from '#shared/domain/push/payloads.ts';
import { deliver } from '#shared/log/push/deliver.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { RelayFailure } from '#shared/runtime/relay.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getPushDevices } from '#shared/store/push-devices.ts';

/** Sends a notification for a try, to one of the caller's devices or to all of them. */
export const sendTestNotification = endpoint({
  route: 'POST /mobile_push/e2ee/test_notification',
  summary: 'Send an encrypted test notification',
  allow: 'human',
  needs: ['useOwn'],
  params: { device_id: optional(json(z.int(), 'The device; all that are registered when absent')) },
  result: nothing,
  errors: [NoActivePushDevice, AdminActionRequired, FailedToConnectBouncer, InternalServerErrorOnBouncer],
  emits: ['device/update'],
  uses: { table: 'write', relay: true },
  async handle({ device_id: deviceId }, { services, caller }) {
    const { table, clock, relay } = services;
    const devices = listActive(await getPushDevices(table, caller.userId)).filter(
      (one) => deviceId === undefined || one.deviceId === deviceId,
    );
    if (devices.length === 0) throw new NoActivePushDevice();
    if (!relay) throw new AdminActionRequired();
    const { userId } = caller;
    const organization = await getOrganization(table);
    const payload = testPayload(organization, userId, toSeconds(clock.nowMs()));
    const dead = await deliver(services, relay, organization.uuid, [{ userId, devices, payload }]).catch(
      explain,
    );
    if (devices.every(({ tokenId }) => dead.has(tokenId))) throw new NoActivePushDevice();
    return {};
  },
});

export const handler = lambda(sendTestNotification, awsServices);

function explain(failure: unknown): never {
  if (!(failure instanceof RelayFailure)) throw failure;
  if (failure.kind === 'unreachable') throw new FailedToConnectBouncer();
  if (failure.kind === 'broken') throw new InternalServerErrorOnBouncer();
  throw new AdminActionRequired();
}
