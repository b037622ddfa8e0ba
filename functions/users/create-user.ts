import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text } from '#shared/api/parameters.ts';
import { hashPassword } from '#shared/api/password.ts';
import type { Change } from '#shared/domain/change.ts';
import { defaultsOf } from '#shared/domain/channels/defaults.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requireAllowedAddress } from '#shared/domain/organization/domains.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { beginningSettings } from '#shared/domain/organization/user-defaults.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import { listJoinings, type Principal, subscribeChanges } from '#shared/domain/subscriptions/subscribe.ts';
import { requireNoDummy } from '#shared/domain/users/address.ts';
import { accountChange, checkEmail, checkFullName, createAccount } from '#shared/domain/users/create.ts';
import { requireUniqueName } from '#shared/domain/users/unique-name.ts';
import { type Account, emailVisibilities } from '#shared/domain/users/user.ts';
import { withEmailVisibility } from '#shared/domain/users/visibility.ts';
import { commit, withFreshState } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { loadPrincipal } from '#shared/store/principals.ts';
import { findAccount, listUsers } from '#shared/store/users.ts';
import { keys } from '#shared/table/keys.ts';

/** Creates an account and subscribes it to the default channels. */
export const createUser = endpoint({
  route: 'POST /users',
  summary: 'Create a user',
  allow: 'administrator',
  params: {
    email: text(z.string(), 'The e-mail address to sign in with'),
    password: text(z.string().check(z.minLength(6), maxLength(100)), 'The password to sign in with'),
    full_name: text(z.string(), 'The name that others see'),
  },
  result: z.object({ user_id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'realm_user/add',
    'user_group/add_members',
    'subscription/add',
    'subscription/peer_add',
    'user_status',
    'message',
  ],
  uses: { table: 'write', bus: true },
  memoryMegabytes: 512,
  async handle(params, { services }) {
    const email = checkEmail(params.email);
    const fullName = checkFullName(params.full_name);
    const organization = await getOrganization(services.table);
    requireNoDummy(email, mailDomainOf(organization));
    requireAllowedAddress(email, organization);
    if (organization.settings.require_unique_names)
      requireUniqueName(fullName, await listUsers(services.table), undefined);
    if (await findAccount(services.table, email)) throw new BadRequest(`Email '${email}' already in use`);
    const settings = beginningSettings(organization);
    const created = createAccount({
      userId: await services.table.increment(keys.counter('user'), 'id'),
      email,
      fullName,
      passwordHash: await hashPassword(params.password),
      nowSeconds: toSeconds(services.clock.nowMs()),
    });
    const visibility = settings.email_address_visibility ?? emailVisibilities.everyone;
    const account = withEmailVisibility(created, visibility, mailDomainOf(organization));
    await commit(services, await creation(services, account, settings));
    await joinDefaultChannels(services, account);
    return { user_id: account.userId };
  },
});

export const handler = lambda(createUser, awsServices);

/** The account, and as many of its default channels as fit into the same transaction. */
async function creation(
  services: Services,
  account: Account,
  settings: Partial<UserSettings>,
): Promise<Change> {
  const organization = await getOrganization(services.table);
  const waitingPeriodDays = organization.settings.waiting_period_threshold;
  const change = accountChange(account, { settings, waitingPeriodDays });
  const [first] = await defaultChannelChanges(services, { user: account, subscriptions: new Map() });
  return first ? mergeChanges(change, first) : change;
}

/** Those that did not fit. */
async function joinDefaultChannels(services: Services, account: Account): Promise<void> {
  await withFreshState(services, async () => {
    const principal = await loadPrincipal(services.table, account);
    for (const change of await defaultChannelChanges(services, principal)) await commit(services, change);
  });
}

/** What subscribes a user to the default channels that they are not subscribed to. */
async function defaultChannelChanges(services: Services, principal: Principal): Promise<Change[]> {
  const organization = await getOrganization(services.table);
  const defaults = defaultsOf(organization);
  const channels = await listChannelsById(services.table, defaults.channelIds);
  const targets = channels.map((channel) => ({ channel, isNew: false, isDefault: true, color: undefined }));
  const joinings = listJoinings(principal.user.userId, [principal], targets);
  return subscribeChanges(targets, joinings, defaults).map(({ change }) => change);
}

function mergeChanges(first: Change, second: Change): Change {
  const writesAt = ({ writes = [] }: Change, position: number) =>
    typeof writes === 'function' ? writes(position) : writes;
  return {
    writes: (position) => [...writesAt(first, position), ...writesAt(second, position)],
    events: [...(first.events ?? []), ...(second.events ?? [])],
    jobs: [...(first.jobs ?? []), ...(second.jobs ?? [])],
  };
}
