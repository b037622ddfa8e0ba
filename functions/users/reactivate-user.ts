import * as z from 'zod/mini';
import { accountOf } from '#shared/actions/users/account-of.ts';
import { deriveApiKey, digestOfKey } from '#shared/api/auth/api-key.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import {
  requireChangeable,
  requireMayAdministerUsers,
  requireMayTouchOwner,
} from '#shared/domain/users/access.ts';
import { reactivationChange } from '#shared/domain/users/deactivate.ts';
import { type Account, asOf, type User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';
import { getUserStatus } from '#shared/store/users/user-statuses.ts';
import { getUser } from '#shared/store/users/users.ts';
import { loadGroupKnowledge } from '#shared/store/visibility/group-knowledge.ts';
import type { Table } from '#shared/table/table.ts';

/** Reactivates a user or bot, who returns to their channels. */
export const reactivateUser = endpoint({
  route: 'POST /users/{user_id_or_email}/reactivate',
  summary: 'Reactivate a user',
  allow: 'user',
  needs: ['editUsers'],
  params: { user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'realm_user/update',
    'user_group/add_members',
    'stream/create',
    'subscription/add',
    'subscription/peer_add',
    'realm_user/add',
    'user_status',
  ],
  uses: { table: 'write', areas: ['accounts'], bus: true, secret: true },
  async handle(params, { services, caller }) {
    requireMayAdministerUsers(caller);
    const target = await getUserNamed(services.table, caller, params.user_id_or_email);
    requireChangeable(target);
    requireMayTouchOwner(caller, target);
    if (target.isActive) return {};
    const hasOwner = await isOwned(services.table, target);
    const groups = await loadGroupKnowledge(services.table);
    const comingBack = asOf(target, toSeconds(services.clock.nowMs()));
    const newOwnerId = hasOwner ? undefined : caller.userId;
    const status = await getUserStatus(services.table, target.userId);
    const nextKey = await nextKeyOf(services, target);
    await commit(services, reactivationChange(comingBack, newOwnerId, groups, status, nextKey));
    return {};
  },
});

export const handler = lambda(reactivateUser, awsServices);

/** A bot needs an active owner; people have none. */
async function isOwned(table: Table, { isBot, botOwnerId }: User): Promise<boolean> {
  if (!isBot) return true;
  return botOwnerId !== null && (await getUser(table, botOwnerId)).isActive;
}

/**
 * The version and digest of the account's next API key, stored now because operations that show the key do
 * not write.
 */
async function nextKeyOf(
  services: Services,
  user: User,
): Promise<Pick<Account, 'keyVersion' | 'apiKeyDigest'>> {
  const keyVersion = (await accountOf(services.table, user)).keyVersion + 1;
  const apiKey = deriveApiKey(await services.secret(), user.userId, keyVersion);
  return { keyVersion, apiKeyDigest: digestOfKey(apiKey, keyVersion) };
}
