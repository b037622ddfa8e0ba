import * as z from 'zod/mini';
import { deactivate } from '#shared/actions/users/deactivate.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, optional, text, withDefault } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import {
  requireChangeable,
  requireMayAdministerUsers,
  requireMayTouchOwner,
} from '#shared/domain/users/access.ts';
import { listBots } from '#shared/domain/users/bots.ts';
import type { CleanUp } from '#shared/domain/users/clean-up.ts';
import { requireDeactivable } from '#shared/domain/users/deactivate.ts';
import { findOtherOwner, isActiveOwner } from '#shared/domain/users/role.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';
import { listUsers } from '#shared/store/users/users.ts';

const MAX_COMMENT_LENGTH = 2000;

const flag = z.optional(z.boolean());
const actions = z.strictObject({
  delete_profile: flag,
  delete_public_channel_messages: flag,
  delete_private_channel_messages: flag,
  delete_direct_messages: flag,
});

function readCleanUp(input: {
  actions: z.output<typeof actions>;
  deactivation_notification_comment: string | undefined;
}): CleanUp {
  const { actions: wanted, deactivation_notification_comment: comment } = input;
  return {
    deletesProfile: wanted.delete_profile ?? false,
    deletes: {
      inPublicChannels: wanted.delete_public_channel_messages ?? false,
      inPrivateChannels: wanted.delete_private_channel_messages ?? false,
      direct: wanted.delete_direct_messages ?? false,
    },
    notice: comment === undefined ? undefined : { comment },
  };
}

/** Deactivates a user and their bots. Their queues end, and they disappear from all channels. */
export const deactivateUser = endpoint({
  route: 'DELETE /users/{user_id_or_email}',
  summary: 'Deactivate a user',
  allow: 'user',
  needs: ['editUsers'],
  params: {
    user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know'),
    actions: withDefault(
      json(actions, 'The content to delete with the account and the accounts of the user’s bots'),
      {},
    ),
    deactivation_notification_comment: optional(
      text(
        z.string().check(maxLength(MAX_COMMENT_LENGTH)),
        'A comment for a mail to the user, which may be empty; no mail without it',
      ),
    ),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'realm_user/update',
    'user_group/remove_members',
    'subscription/peer_remove',
    'realm_user/remove',
    'invites_changed',
    'realm_export',
    'delete_message',
    'realm_user/add',
  ],
  uses: { table: 'write', areas: ['accounts', 'invitations'], bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller }) {
    requireMayAdministerUsers(caller);
    const target = await getUserNamed(services.table, caller, params.user_id_or_email);
    requireChangeable(target);
    requireDeactivable(target);
    requireMayTouchOwner(caller, target);
    const users = await listUsers(services.table);
    const otherOwner = findOtherOwner(users, target);
    if (isActiveOwner(target) && !otherOwner)
      throw new BadRequest('Cannot deactivate the only organization owner');
    await deactivate(services, target, listBots(users, target), otherOwner, readCleanUp(params));
    return {};
  },
});

export const handler = lambda(deactivateUser, awsServices);
