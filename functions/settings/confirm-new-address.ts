import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { checkNewAddress } from '#shared/domain/settings/own-identity.ts';
import { editChange, toldEmailEdit } from '#shared/domain/users/edit.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import {
  type AddressChange,
  addressChangeEnd,
  findAddressChange,
} from '#shared/store/users/address-changes.ts';
import { findAccount, getAccount } from '#shared/store/users/users.ts';

/**
 * Gives the caller the new address that the link of a mail proves. Only the person who asked for it can use the link, so a
 * mistyped address hands the account to no stranger.
 */
export const confirmNewAddress = endpoint({
  route: 'POST /settings/email/{key}',
  summary: 'Confirm own new address',
  allow: 'human',
  renewsSession: true,
  params: { key: text(z.string(), 'The key at the end of the link') },
  result: z.object({ email: z.string() }),
  errors: [BadRequest],
  emits: ['realm_user/update'],
  uses: { table: 'write', areas: ['accounts', 'addressChanges'], bus: true },
  async handle({ key }, { services, caller, browser }) {
    const { table } = services;
    const [account, wish] = await Promise.all([
      getAccount(table, caller.userId),
      findAddressChange(table, caller.userId, key),
    ]);
    if (!wish || !isOpen(services, wish) || wish.from !== account.email)
      throw new BadRequest('This link was used, has expired, or belongs to another account.');
    const email = checkNewAddress(account, await getOrganization(table), wish.to) ?? wish.to;
    const holder = await findAccount(table, email);
    if (holder && holder.userId !== account.userId) throw new BadRequest('Already has an account.');
    const edit = { ...toldEmailEdit(account, email), checks: [addressChangeEnd(wish)] };
    await commit(services, { ...editChange(account, [edit]) });
    browser?.moveSession(email);
    return { email };
  },
});

export const handler = lambda(confirmNewAddress, awsServices);

const isOpen = ({ clock }: Services, { expiresAtSeconds }: AddressChange): boolean =>
  expiresAtSeconds > toSeconds(clock.nowMs());
