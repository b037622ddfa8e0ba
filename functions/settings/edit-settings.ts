import * as z from 'zod/mini';
import { askForNewAddress, requireMailForAddress } from '#shared/actions/users/ask-for-new-address.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { draftNextSession } from '#shared/api/auth/next-session.ts';
import { newPasswordHash } from '#shared/api/auth/own-password.ts';
import { givenSettings, settingParameters } from '#shared/api/contracts/settings.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, RateLimitHit } from '#shared/domain/errors.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { ownSettingsChange } from '#shared/domain/settings/own-change.ts';
import { checkNewAddress, checkOwnName } from '#shared/domain/settings/own-identity.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getAllowance } from '#shared/store/limits/allowances.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getAppearance } from '#shared/store/users/appearance.ts';
import { getChosenSettings } from '#shared/store/users/user-settings.ts';
import { getAccount, listUsers } from '#shared/store/users/users.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';

const MAX_PASSWORD_LENGTH = 100;

/** The users whose settings change, and whether settings that they have chosen stay. */
const targetUsers = z
  .strictObject({
    user_ids: z.optional(z.array(z.int())),
    group_ids: z.optional(z.array(z.int())),
    skip_if_already_edited: z.boolean(),
  })
  .check(
    z.refine(({ user_ids = [], group_ids = [] }) => user_ids.length + group_ids.length > 0, {
      error: 'Either user_ids or group_ids must be provided.',
    }),
  );

/**
 * Changes the caller's settings, name and password; all or none. A new address is mailed a link first. A new password ends every session but the caller's.
 */
export const editSettings = endpoint({
  route: 'PATCH /settings',
  summary: 'Edit own settings',
  allow: 'human',
  renewsSession: true,
  params: {
    ...settingParameters,
    full_name: optional(text(z.string(), 'The name that others see')),
    email: optional(
      text(z.string(), 'Another address; it changes once its link, which is mailed there, is opened'),
    ),
    old_password: optional(text(z.string(), 'The present password')),
    target_users: optional(json(targetUsers, 'Refused: settings are changed by their owners alone')),
    new_password: optional(text(z.string().check(maxLength(MAX_PASSWORD_LENGTH)), 'The new password')),
  },
  result: nothing,
  errors: [BadRequest, RateLimitHit],
  emits: ['user_settings/update', 'realm_user/update', 'realm_export_consent', 'presence', 'user_status'],
  uses: {
    table: 'write',
    areas: ['accounts', 'drafts', 'signIns', 'passwords', 'addressChanges'],
    bus: true,
  },
  async handle(params, { services, caller, browser }) {
    const { table } = services;
    // Otherwise the caller's own settings would change instead.
    if (params.target_users !== undefined) throw new BadRequest('Settings of other users cannot be changed.');
    const [account, chosen] = await Promise.all([
      getAccount(table, caller.userId),
      getChosenSettings(table, caller.userId),
    ]);
    const { fullName, email } = await checkIdentity(services, account, params);
    const passwordHash = await newPasswordHash(services, account, params.old_password, params.new_password);
    const session = passwordHash === undefined ? undefined : await draftNextSession(services, browser);
    const settings = givenSettings(params);
    const organization = await getOrganization(table);
    const change = ownSettingsChange(account, chosen, {
      fullName,
      passwordHash,
      opens: session?.opens,
      settings,
      mailDomain: mailDomainOf(organization),
      nowMs: services.clock.nowMs(),
      appearance:
        settings.presence_enabled === undefined
          ? undefined
          : await getAppearance(table, account, organization),
      drafts:
        settings.enable_drafts_synchronization === false
          ? await getAllowance(table, draftKeys.draftAllowance(account.userId))
          : undefined,
    });
    const asked = email === undefined ? [] : [await askForNewAddress(services, account.userId, email)];
    if (change || email !== undefined)
      await commit(services, { ...change, jobs: [...(change?.jobs ?? []), ...asked] });
    if (session) browser?.holdSession(session.textFor(account));
    return {};
  },
});

export const handler = lambda(editSettings, awsServices);

/** The requested name and address, validated; undefined where none was given, or the present address. */
async function checkIdentity(
  services: Services,
  account: Account,
  { full_name, email: input }: { full_name: string | undefined; email: string | undefined },
): Promise<{ fullName?: string; email?: string | undefined }> {
  if (full_name === undefined && input === undefined) return {};
  const { table } = services;
  const organization = await getOrganization(table);
  const email = input === undefined ? undefined : checkNewAddress(account, organization, input);
  if (email !== undefined) requireMailForAddress(services);
  if (full_name === undefined) return { email };
  const allUsers = organization.settings.require_unique_names ? await listUsers(table) : [];
  return { email, fullName: checkOwnName(account, organization, full_name, allUsers) };
}
