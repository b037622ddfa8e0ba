import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { newPasswordHash } from '#shared/api/own-password.ts';
import { json, maxLength, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { givenSettings, settingParameters } from '#shared/api/settings-parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { mailDomainOf } from '#shared/domain/organization/organization.ts';
import { ownSettingsChange } from '#shared/domain/settings/own-change.ts';
import { checkOwnName, refuseNewAddress } from '#shared/domain/settings/own-identity.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { getAppearance } from '#shared/store/appearance.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { getChosenSettings } from '#shared/store/user-settings.ts';
import { getAccount, listUsers } from '#shared/store/users.ts';
import type { Table } from '#shared/table/table.ts';

const MAX_PASSWORD_LENGTH = 100;

/** Changes the caller's own settings, name and password: all of what is given, or nothing. */
export const editSettings = endpoint({
  route: 'PATCH /settings',
  summary: 'Edit own settings',
  allow: 'human',
  params: {
    ...settingParameters,
    full_name: optional(text(z.string(), 'The name that others see')),
    email: optional(text(z.string(), 'The present address; a new one would need a proof')),
    old_password: optional(text(z.string(), 'The present password')),
    target_users: optional(json(z.unknown(), 'Refused: settings are changed by their owners alone')),
    new_password: optional(
      text(z.string().check(maxLength(MAX_PASSWORD_LENGTH)), 'The password from now on'),
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['user_settings/update', 'realm_user/update', 'realm_export_consent', 'presence', 'user_status'],
  uses: { table: 'write', areas: ['drafts', 'signIns', 'passwords'], bus: true },
  memoryMegabytes: 512,
  async handle(params, { services, caller }) {
    const { table } = services;
    // Without a word the caller's own settings would change instead of those that were meant.
    if (params.target_users !== undefined) throw new BadRequest('Settings of other users cannot be changed.');
    const [account, chosen] = await Promise.all([
      getAccount(table, caller.userId),
      getChosenSettings(table, caller.userId),
    ]);
    const fullName = await checkIdentity(table, account, params);
    const passwordHash = await newPasswordHash(services, account, params.old_password, params.new_password);
    const settings = givenSettings(params);
    const organization = await getOrganization(table);
    const change = ownSettingsChange(account, chosen, {
      fullName,
      passwordHash,
      settings,
      mailDomain: mailDomainOf(organization),
      nowMs: services.clock.nowMs(),
      appearance:
        settings.presence_enabled === undefined
          ? undefined
          : await getAppearance(table, account, organization),
    });
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editSettings, awsServices);

/** The name that was asked for, if it may be taken; of addresses only the present one may. */
async function checkIdentity(
  table: Table,
  account: Account,
  { full_name, email }: { full_name: string | undefined; email: string | undefined },
): Promise<string | undefined> {
  if (full_name === undefined && email === undefined) return undefined;
  const organization = await getOrganization(table);
  if (email !== undefined) refuseNewAddress(account, organization, email);
  if (full_name === undefined) return undefined;
  const everybody = organization.settings.require_unique_names ? await listUsers(table) : [];
  return checkOwnName(account, organization, full_name, everybody);
}
