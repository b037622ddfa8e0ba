import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
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
import { asOf, type User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';
import { getUserStatus } from '#shared/store/users/user-statuses.ts';
import { getUser } from '#shared/store/users/users.ts';
import { loadGroupKnowledge } from '#shared/store/visibility/group-knowledge.ts';
import type { Table } from '#shared/table/table.ts';

/** Reactivates a user or bot, who returns to their channels and keeps their API key. */
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
  uses: { table: 'write', areas: ['accounts'], bus: true },
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
    await commit(services, reactivationChange(comingBack, newOwnerId, groups, status));
    return {};
  },
});

export const handler = lambda(reactivateUser, awsServices);

/** A bot needs an active owner; people have none. */
async function isOwned(table: Table, { isBot, botOwnerId }: User): Promise<boolean> {
  if (!isBot) return true;
  return botOwnerId !== null && (await getUser(table, botOwnerId)).isActive;
}
