import { reopenOrganization } from '#shared/actions/organization/close-organization.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import type { Config } from '#shared/runtime/config.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Client } from '#tests/harness/client.ts';
import { JWT_KEY } from '#tests/harness/json-web-token.ts';
import { attachRelay, type TestRelay } from '#tests/harness/relay.ts';
import type { TestService } from '#tests/harness/service.ts';
import { TestZoom } from '#tests/harness/zoom.ts';

/** People and things for the samples to speak of. */
export interface World {
  service: TestService;
  /** The users that the samples act as: the owner may call everything. */
  caller: Client;
  other: Client;
  /** Another owner, so that the caller is not the last. */
  deputy: Client;
  channel: string;
  channelId: number;
  messageId: number;
  /** The service uses it. */
  relay: TestRelay;
  /** Another number at each call, for names that must not be taken. */
  nextNumber: () => number;
}

/** No user has a device when it is first asked for one, and a year goes by until it is asked again: most laws are not about devices. */
export const noDevices: Partial<Config> = { pushMemoryMs: 365 * 24 * 3600 * 1000 };

export async function createWorld(service: TestService): Promise<World> {
  const caller = service.owner;
  const relay = await attachRelay(service);
  service.services.config.zoom = (await new TestZoom().start()).app;
  service.services.config.jwtKey = JWT_KEY;
  const other = await service.createUser('Other');
  const deputy = await service.createUser('Deputy', roles.owner);
  const channelId = await caller.subscribe('room');
  await other.subscribe('room');
  const messageId = await caller.send('room', 'topic', 'hello');
  await service.settle();
  let number = 0;
  const nextNumber = () => ++number;
  return { service, caller, other, deputy, channel: 'room', channelId, messageId, relay, nextNumber };
}

/**
 * A call may have given a user who called another key or deactivated them, and restricted who may join. The caller of the
 * samples is restored as well, and their role, all of it by one read where nothing of that happened.
 */
export async function restoreCaller(world: World, actor: Client = world.caller): Promise<void> {
  const { service, caller, deputy } = world;
  await service.settle();
  const clients = [...new Set([caller, actor])];
  const accountKeys = clients.map(({ email }) => userKeys.account(email));
  const found = await service.services.table.findMany([
    organizationKeys.organization(),
    organizationKeys.closure(),
    ...accountKeys,
  ]);
  if (found.some(({ sk }) => sk === organizationKeys.closure().sk))
    await reopenOrganization(service.services);
  for (const client of clients) {
    const account = found.find(({ userId }) => userId === client.userId);
    await restoreAccount(world, client, account as unknown as Account);
    if (client === caller && account?.role !== roles.owner) await makeOwnerAgain(world);
  }
  const organization = found.find(({ settings }) => settings) as Partial<Organization> | undefined;
  if (organization?.settings?.emails_restricted_to_domains)
    await deputy.patch('/realm', { emails_restricted_to_domains: false });
}

/** By way of a member, since a guest cannot become an owner. */
async function makeOwnerAgain({ caller, deputy }: World): Promise<void> {
  for (const role of [roles.member, roles.owner]) await deputy.patch(`/users/${caller.userId}`, { role });
}

/** Activates an account again if a call deactivated it, and uses its current key. */
async function restoreAccount({ service, deputy }: World, client: Client, account: Account): Promise<void> {
  const { userId, email } = client;
  if (account.isActive) {
    client.apiKey = await issueApiKey(service.services, account);
    return;
  }
  await deputy.post(`/users/${userId}/reactivate`);
  await service.settle();
  client.apiKey = (await service.clientOf(email)).apiKey;
}
