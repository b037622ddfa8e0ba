import { DeletionBegan, reopenOrganization } from '#shared/actions/organization/close-organization.ts';
import { hashPassword } from '#shared/api/auth/password.ts';
import { isWeakPassword, WEAK_PASSWORD } from '#shared/api/auth/weak-password.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import {
  defaultOrganizationSettings,
  type OrganizationSettings,
} from '#shared/domain/organization/settings.ts';
import { newestUpdateLevel } from '#shared/domain/organization/updates.ts';
import { standInPicture } from '#shared/domain/pictures/generated.ts';
import { accountWrites, checkEmail, checkFullName, createAccount } from '#shared/domain/users/create.ts';
import { type Account, roles } from '#shared/domain/users/user.ts';
import { commitSilently } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure, findOrganization } from '#shared/store/organization/organization.ts';
import { findAccount, getUser } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';

export interface BootstrapOptions {
  organizationName: string;
  /** The root address under which clients reach the service. */
  url: string;
  ownerEmail: string;
  ownerFullName?: string;
  ownerPassword?: string;
  /** The organization's default language, such as `de`; English by default. */
  language?: string;
  /** Grants the owner, new or existing, the special permission to change others' addresses. */
  ownerMayChangeEmails?: boolean;
  /** Reactivates an organization that an owner has deactivated. */
  reactivates?: boolean;
}

/** The password of the owner is refused, and nothing was created. */
export class WeakOwnerPassword extends Error {
  constructor() {
    super(`OWNER_PASSWORD is too weak: ${WEAK_PASSWORD}`);
  }
}

const bots = {
  notification: { userId: 1, fullName: 'Notification Bot', mailbox: 'notification-bot' },
  welcome: { userId: 2, fullName: 'Welcome Bot', mailbox: 'welcome-bot' },
  emailGateway: { userId: 3, fullName: 'Email Gateway', mailbox: 'emailgateway' },
};
const OWNER_ID = 4;

/**
 * Creates the organization with its owner and system bots, or updates the address of the existing one. Safe
 * to run again.
 * @throws WeakOwnerPassword at the first run; DeletionBegan; Error while a backup is being restored into the table
 */
export async function bootstrapOrganization(
  services: Services,
  options: BootstrapOptions,
): Promise<{ owner: Account; created: boolean }> {
  const url = options.url.replace(/\/+$/, '');
  const closure = await findClosure(services.table);
  if (closure?.restore !== undefined)
    throw new Error('A restore into this table has not ended: run it again to continue.');
  if (closure?.erasingSinceSeconds !== undefined) throw new DeletionBegan();
  const existing = await findOrganization(services.table);
  if (!existing) return { owner: await create(services, { ...options, url }), created: true };
  if (existing.url !== url)
    await services.table.write({ kind: 'update', key: organizationKeys.organization(), set: { url } });
  if (options.reactivates) await reopenOrganization(services);
  const owner = await getOwner(services, existing);
  if (options.ownerMayChangeEmails) await permitEmailChanges(services, owner);
  return { owner, created: false };
}

async function getOwner({ table }: Services, { ownerId }: Organization): Promise<Account> {
  const { email } = await getUser(table, ownerId);
  const account = await findAccount(table, email);
  if (!account) throw new Error('The account of the owner is missing');
  return account;
}

const permitEmailChanges = ({ table }: Services, { email, userId }: Account): Promise<void> =>
  table.write({
    kind: 'update',
    key: userKeys.account(email),
    set: { mayChangeEmails: true },
    condition: { equals: { userId } },
  });

async function create(services: Services, options: BootstrapOptions): Promise<Account> {
  const nowSeconds = toSeconds(services.clock.nowMs());
  const { hostname } = new URL(options.url);
  const standIn = (userId: number) => standInPicture({ settings: defaultOrganizationSettings }, userId);
  const botAccounts = Object.values(bots).map(({ userId, fullName, mailbox }) => ({
    ...createAccount({
      userId,
      email: `${mailbox}@${hostname}`,
      fullName,
      avatarPicture: standIn(userId),
      nowSeconds,
    }),
    isBot: true,
    isSystemBot: true,
  }));
  const owner: Account = {
    ...createAccount({
      userId: OWNER_ID,
      avatarPicture: standIn(OWNER_ID),
      email: checkEmail(options.ownerEmail),
      fullName: checkFullName(options.ownerFullName ?? 'Owner'),
      nowSeconds,
    }),
    role: roles.owner,
    ...(options.ownerMayChangeEmails && { mayChangeEmails: true }),
  };
  const { ownerPassword } = options;
  if (ownerPassword && (await isWeakPassword(ownerPassword, [owner.fullName, owner.email])))
    throw new WeakOwnerPassword();
  const passwordHash = ownerPassword && (await hashPassword(ownerPassword, services.config.passwordCost));
  const organization: Omit<Organization, 'settings' | 'groups' | 'revision'> & {
    settings?: Partial<OrganizationSettings>;
  } = {
    name: options.organizationName,
    description: '',
    url: options.url,
    createdAtSeconds: nowSeconds,
    uuid: services.ids.uuid(),
    ownerId: OWNER_ID,
    notificationBotId: bots.notification.userId,
    welcomeBotId: bots.welcome.userId,
    updatesLevel: newestUpdateLevel,
    ...(options.language !== undefined && { settings: { default_language: options.language } }),
  };
  const isNew = { exists: false };
  await commitSilently(services, [
    { kind: 'put', item: { ...organizationKeys.organization(), ...organization }, condition: isNew },
    { kind: 'put', item: { ...organizationKeys.counter('user'), id: OWNER_ID }, condition: isNew },
    ...botAccounts.flatMap((account) => accountWrites(account)),
    ...accountWrites(owner, passwordHash || undefined),
  ]);
  return owner;
}
