import { deactivate } from '#shared/actions/users/deactivate.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { CannotDeactivateLastUser } from '#shared/domain/errors.ts';
import { listBots } from '#shared/domain/users/bots.ts';
import { findOtherOwner, isActiveOwner } from '#shared/domain/users/role.ts';
import { getUser, listUsers } from '#shared/store/users/users.ts';

/** Deactivates the caller and their bots. */
export const deactivateOwnUser = endpoint({
  route: 'DELETE /users/me',
  summary: 'Deactivate own user',
  allow: 'human',
  params: {},
  result: nothing,
  errors: [CannotDeactivateLastUser],
  emits: [
    'realm_export',
    'realm_user/update',
    'user_group/remove_members',
    'subscription/peer_remove',
    'realm_user/remove',
    'invites_changed',
  ],
  uses: { table: 'write', areas: ['accounts', 'invitations'], bus: true },
  timeoutSeconds: 29,
  async handle(_params, { services, caller }) {
    const [self, users] = await Promise.all([
      getUser(services.table, caller.userId),
      listUsers(services.table),
    ]);
    const otherOwner = findOtherOwner(users, self);
    if (isActiveOwner(self) && !otherOwner) throw new CannotDeactivateLastUser('organization owner');
    if (self.isActive) await deactivate(services, self, listBots(users, self), otherOwner);
    return {};
  },
});

export const handler = lambda(deactivateOwnUser, awsServices);
