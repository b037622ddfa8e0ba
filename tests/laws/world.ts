import { roles } from '#shared/domain/users/user.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getUser } from '#shared/store/users.ts';
import type { Client } from '#tests/harness/client.ts';
import { addPhone, attachRelay, type TestRelay } from '#tests/harness/relay.ts';
import type { TestService } from '#tests/harness/service.ts';

/** People and things for the samples to speak of. */
export interface World {
  service: TestService;
  /** Whom the samples act as: the owner may call everything. */
  caller: Client;
  other: Client;
  /** Another owner, so that the caller is not the last. */
  deputy: Client;
  channel: string;
  channelId: number;
  messageId: number;
  /** The service uses it, and the caller has a device. */
  relay: TestRelay;
}

export async function createWorld(service: TestService): Promise<World> {
  const caller = service.owner;
  const other = await service.createUser('Other');
  const deputy = await service.createUser('Deputy', roles.owner);
  const channelId = await caller.subscribe('room');
  await other.subscribe('room');
  const messageId = await caller.send('room', 'topic', 'hello');
  const relay = await attachRelay(service);
  await addPhone(service, caller);
  return { service, caller, other, deputy, channel: 'room', channelId, messageId, relay };
}

/** A call may have given the caller another key or deactivated them, and restricted who may join. */
export async function restoreCaller(world: World): Promise<void> {
  const { service, caller, deputy } = world;
  await service.settle();
  const { settings } = await getOrganization(service.services.table);
  caller.apiKey = await restoreAccount(world, caller);
  if (settings.emails_restricted_to_domains)
    await deputy.patch('/realm', { emails_restricted_to_domains: false });
}

/** Activates an account again where a call deactivated it, and tells the key that it has now. */
export async function restoreAccount({ service, deputy }: World, { userId, email }: Client): Promise<string> {
  const { isActive } = await getUser(service.services.table, userId);
  if (!isActive) {
    await deputy.post(`/users/${userId}/reactivate`);
    await service.settle();
  }
  return (await service.clientOf(email)).apiKey;
}
