import { changeGroupMembers } from '#shared/actions/user-groups/group-members.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { distinct, ids, userGroupId } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Adds groups to a user group and removes others; all or none. The older method. */
export const editUserGroupSubgroups = endpoint({
  route: 'POST /user_groups/{user_group_id}/subgroups',
  summary: 'Change the subgroups of a user group',
  allow: 'member',
  needs: ['addGroupMembers'],
  params: {
    user_group_id: userGroupId,
    add: ids('Groups to add as subgroups'),
    delete: ids('Subgroups to remove from the group'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'user_group/add_subgroups',
    'user_group/remove_subgroups',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
  ],
  uses: { table: 'write' },
  timeoutSeconds: 29,
  async handle(params, { services, caller }) {
    const [addSubgroups, deleteSubgroups] = [distinct(params.add), distinct(params.delete)];
    if (addSubgroups.length + deleteSubgroups.length === 0)
      throw new BadRequest('Nothing to do. Specify at least one of "add" or "delete".');
    const request = { add: [], delete: [], addSubgroups, deleteSubgroups };
    await changeGroupMembers(services, caller, params.user_group_id, request);
    return {};
  },
});

export const handler = lambda(editUserGroupSubgroups, awsServices);
