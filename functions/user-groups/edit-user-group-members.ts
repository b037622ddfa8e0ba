import { changeGroupMembers } from '#shared/actions/user-groups/group-members.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { distinct, ids, userGroupId } from '#shared/api/contracts/user-groups.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Adds users and groups to a user group and removes others; all or none. */
export const editUserGroupMembers = endpoint({
  route: 'POST /user_groups/{user_group_id}/members',
  summary: 'Change the members of a user group',
  allow: 'member',
  needs: ['addGroupMembers'],
  params: {
    user_group_id: userGroupId,
    add: ids('Users who become members'),
    delete: ids('Users to remove from the group'),
    add_subgroups: ids('Groups to add as subgroups'),
    delete_subgroups: ids('Subgroups to remove from the group'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'user_group/add_members',
    'user_group/remove_members',
    'user_group/add_subgroups',
    'user_group/remove_subgroups',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
    'message',
  ],
  uses: { table: 'write', bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller }) {
    const request = {
      add: distinct(params.add),
      delete: distinct(params.delete),
      addSubgroups: distinct(params.add_subgroups),
      deleteSubgroups: distinct(params.delete_subgroups),
    };
    if (Object.values(request).every(({ length }) => length === 0))
      throw new BadRequest(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      );
    await changeGroupMembers(services, caller, params.user_group_id, request);
    return {};
  },
});

export const handler = lambda(editUserGroupMembers, awsServices);
