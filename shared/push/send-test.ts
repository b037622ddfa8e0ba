import type { ActiveDevice } from '#shared/domain/push/device.ts';
import {
  AdminActionRequired,
  FailedToConnectBouncer,
  InternalServerErrorOnBouncer,
  NoActivePushDevice,
} from '#shared/domain/push/errors.ts';
import { testPayload } from '#shared/domain/push/payloads.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { RelayFailure } from '#shared/runtime/relay.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { deliver } from './deliver.ts';

/**
 * Sends a test notification to devices of a user.
 * @throws NoActivePushDevice when none can be notified, AdminActionRequired without a relay or when it
 * refuses, FailedToConnectBouncer, InternalServerErrorOnBouncer
 */
export async function sendTestTo(services: Services, userId: number, devices: ActiveDevice[]): Promise<void> {
  const { table, clock, relay } = services;
  if (devices.length === 0) throw new NoActivePushDevice();
  if (!relay) throw new AdminActionRequired();
  const organization = await getOrganization(table);
  const payload = testPayload(organization, userId, toSeconds(clock.nowMs()));
  const dead = await deliver(services, relay, organization.uuid, [{ userId, devices, payload }]).catch(
    explain,
  );
  if (devices.every(({ tokenId }) => dead.has(tokenId))) throw new NoActivePushDevice();
}

function explain(failure: unknown): never {
  if (!(failure instanceof RelayFailure)) throw failure;
  if (failure.kind === 'unreachable') throw new FailedToConnectBouncer();
  if (failure.kind === 'broken') throw new InternalServerErrorOnBouncer();
  throw new AdminActionRequired();
}
